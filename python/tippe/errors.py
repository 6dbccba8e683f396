"""What Tippe raises and warns of."""

from __future__ import annotations

import contextlib
import functools
import warnings
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, Optional, TypeVar, cast

from .names import UnknownName

if TYPE_CHECKING:
    from ._tippe import StepReport
    from .run import Run


class InputError(ValueError):
    """The scene, the problem or an argument is wrong; nothing was computed.

    file, line, column: the place, as far as it is known (else "", 0, 0); lines and columns count from 1.
    message: the sentence without the place.
    """

    def __init__(self, message: str, file: str = "", line: int = 0, column: int = 0, text: Optional[str] = None) -> None:
        self.message = message
        self.file = file
        self.line = line
        self.column = column
        super().__init__(self._place() + message + self._shown_line(text))

    def _place(self) -> str:
        if not self.file:
            return ""
        return f"{self.file}:{self.line}:{self.column}: " if self.line > 0 else f"{self.file}: "

    def _shown_line(self, text: Optional[str]) -> str:
        """The line with a mark under the place, as the program shows it."""
        if self.line <= 0:
            return ""
        if text is None:
            try:
                with open(self.file, encoding="utf-8", errors="replace") as file:
                    text = file.read()
            except OSError:
                return ""
        lines = text.split("\n")
        if self.line > len(lines) or len(lines[self.line - 1]) > 200:
            return ""
        line = lines[self.line - 1]
        indent = "".join("\t" if c == "\t" else " " for c in line[: max(self.column - 1, 0)])
        return f"\n  {line}\n  {indent}^"


@contextlib.contextmanager
def lines_of(text: str) -> Iterator[None]:
    """Errors in a scene show their lines from this text: its file may not exist, or have changed."""
    try:
        yield
    except InputError as error:
        raise InputError(error.message, error.file, error.line, error.column, text) from None


Function = TypeVar("Function", bound=Callable[..., Any])


def told_at_the_call(function: Function) -> Function:
    """What is wrong with its arguments is told where it was called, without the frames in between."""

    @functools.wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        try:
            return function(*arguments, **named)
        except (InputError, FileError, UnknownName) as error:
            raise error.with_traceback(None) from None

    return cast(Function, call)


class NumericalError(RuntimeError):
    """A step could not be computed. What was computed before it is not lost.

    run: what was computed, if a run failed; report: of the step, if a single step failed.
    """

    def __init__(self, message: str, run: Optional[Run] = None, report: Optional[StepReport] = None) -> None:
        self.run = run
        self.report = report
        super().__init__(message)


class FileError(OSError):
    """A file cannot be read or written: missing, no permission, disk full, damaged."""


class TippeWarning(UserWarning):
    """Something that a user should know although the run went on.

    Where a filter makes errors of warnings it has an attribute .run or .comparison: what was computed.
    """


def warn_and_raise(sentences: Iterable[str], error: Optional[BaseException], stacklevel: int, **computed: object) -> None:
    """Warns, then raises the error, if there is one. `computed` becomes attributes of what is raised, the error or a warning that a filter
    made one; the error goes first. stacklevel: as for warnings.warn() in the caller."""
    try:
        for sentence in sentences:
            warnings.warn(sentence, TippeWarning, stacklevel=stacklevel + 1)
    except TippeWarning as warning:
        error = warning if error is None else error
    if error is not None:
        for name, value in computed.items():
            setattr(error, name, value)
        raise error
