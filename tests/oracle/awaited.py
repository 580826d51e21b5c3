"""What the program does not say yet as the definitions do: figures that `expect` passes over, and
releases that are not judged, until the fix is there. This file is to become empty, and go."""

AWAITED = {
    "suppressed_rows": "rows at the top node of drop and of releases at the top only",
    "mean-risk": "table-level models leave the top class out under keep",
    "risk-share": "table-level models leave the top class out under keep",
    "sample-uniqueness": "table-level models leave the top class out under keep",
}


def awaited(job, released):
    """A release at the top only is judged as one class under exempt."""
    return job.treatment == "exempt" and set(released) == {job.tops()}
