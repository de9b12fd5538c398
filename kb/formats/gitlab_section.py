"""`section_start:1769853600:build` — GitLab's marks around the parts of a job."""

from kb.formats import Format, Sample

FORMAT = Format(
    name="gitlab_section",
    pattern=r"section_(?:start|end):\d+:[\w.-]+(?:\[[^\]\n]*\])?\r?(?:\[0K)?",
    per="line",
    samples=(
        Sample("section_end:1769853600:step_script", ""),
        Sample("section_start:1769853600:cleanup[collapsed=true][0KCleaning up", "Cleaning up"),
    ),
    strangers=("section_start: 1", "sections_start:1:x"),
    needs="section_",
)
