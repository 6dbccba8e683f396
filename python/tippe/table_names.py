"""The names that tippe.system() takes, for those who check types."""

from __future__ import annotations

from typing import Any, Mapping, Optional, Sequence, TypedDict

Table = Optional[Mapping[str, Any]]
Tables = Optional[Sequence[Mapping[str, Any]]]


class SceneTables(TypedDict, total=False):
    """Keys and tables of a scene (docs/scene.md)."""

    tippe: int
    title: Optional[str]
    source: Optional[str]
    parameters: Table
    units: Table
    inputs: Table
    define: Table
    world: Table
    body: Tables
    lagrangian: Table
    velocities: Table
    force: Tables
    motor: Tables
    spring: Tables
    joint: Tables
    plane: Tables
    contact_law: Tables
    bilateral: Tables
    contact: Tables
    one_way: Tables
    dry_friction: Tables
    damping: Tables
    impact: Table
    initial: Table
    run: Table
    output: Table
    draw: Tables
    actuator: Tables
    sweep: Table
    event: Tables
