"""The one exception that users see."""


class KbError(Exception):
    """Something the user can mend.

    `message` says what is wrong and where, `hint` what to do about it. The command line prints both on one line and ends with exit
    code 2.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}: {self.hint}" if self.hint else self.message
