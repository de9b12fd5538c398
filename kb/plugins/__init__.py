"""faultbook inside other programs: one file each, loaded by their own plug-in doors."""
