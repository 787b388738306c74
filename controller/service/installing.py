"""`mafia-table install`: all that a Raspberry Pi needs to be a table from the moment it has power, and `uninstall`.

Nothing of it writes to the root file system later on: the table writes below its data folder and to its stick alone.
"""

import compileall
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from controller.small_files import write_whole

USER: Final = "mafia-table"
DATA: Final = Path("/var/lib/mafia-table")
STICK: Final = Path("/media/mafia")
"""Where a stick with the label MAFIA appears."""
SETTINGS: Final = Path("/etc/mafia-table/table.toml")
UNIT: Final = Path("/etc/systemd/system/mafia-table.service")
HOUSE: Final = Path(__file__).resolve().parents[2]
_ROOMS: Final = ("controller", "hardware", "firmware_bridge", "scenes")
_HIDDEN: Final = tuple(map(Path, ("/home", "/root", "/run/user", "/tmp", "/var/tmp")))
"""The unit does not see them."""

RESTARTS_AFTER_S: Final = 0.1
"""After a crash: in a night music has to be back within two seconds, and a start takes most of them."""

NICE: Final = -5
CPU_WEIGHT: Final = 1000
"""Any other service has 100."""

_UNIT: Final = """\
[Unit]
Description=Live table for sport mafia
After=network.target media-mafia.mount
StartLimitIntervalSec=0

[Service]
Type=notify
ExecStart={program} serve --config {settings}
User={user}
Group={user}
Restart=always
RestartSec={again}
# The event loop itself feeds it: if it hangs, the table is started anew and goes on where it was.
WatchdogSec=10
TimeoutStopSec=10
# Among the other services the weight counts: a nice value counts only within one group of processes, and where systemd
# or the kernel groups them (sched(7), autogroup), that is the table's own.
CPUWeight={weight}
Nice={nice}
OOMScoreAdjust=-500
MemoryMax=400M
StateDirectory=mafia-table
StateDirectoryMode=0700
UMask=0077
Environment=PYTHONDONTWRITEBYTECODE=1 MAFIA_TABLE_LOG=json
# It writes to its data and to its stick, and to nothing else.
ProtectSystem=strict
ReadWritePaths=-{stick}
ProtectHome=yes
PrivateTmp=yes
NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
# Serial ports, GPIO and the sound card; no disk, no memory, no console.
DevicePolicy=closed
DeviceAllow=char-ttyACM rw
DeviceAllow=char-ttyUSB rw
DeviceAllow=char-gpiochip rw
DeviceAllow=char-alsa rw
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectClock=yes
ProtectHostname=yes
ProtectProc=invisible
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
RemoveIPC=yes
KeyringMode=private
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
"""
_UDEV: Final = """\
# The table's microcontrollers: for the table's user, and never probed as a modem.
SUBSYSTEM=="tty", ATTRS{idVendor}=="2e8a", GROUP="dialout", MODE="0660", ENV{ID_MM_DEVICE_IGNORE}="1"
# A stick with the label MAFIA is where the table keeps its copy.
SUBSYSTEM=="block", ENV{ID_FS_LABEL}=="MAFIA", TAG+="systemd", ENV{SYSTEMD_WANTS}+="media-mafia.mount"
"""
_MOUNT: Final = """\
[Unit]
Description=The stick on which the mafia table keeps its copy

[Mount]
What=/dev/disk/by-label/MAFIA
Where={stick}
Type=auto
Options=noatime,nodev,nosuid,noexec,nofail,uid={user},gid={user},umask=0077
TimeoutSec=10
"""
_USERS: Final = """\
u {user} - "Mafia table" {data} /usr/sbin/nologin
m {user} dialout
m {user} audio
"""
_JOURNALD: Final = """\
# The card is spared: what the system logs stays in memory. The table keeps a log of its own in {data}/log, of two
# megabytes and a half at most.
[Journal]
Storage=volatile
RuntimeMaxUse=32M
"""
_TABLE: Final = """\
data = "{data}"

[web]
host = "0.0.0.0"

[copies]
folders = ["{stick}/table"]
"""


class OutOfReach(Exception):
    """The program lies where the service would not see it."""


def files(program: Path) -> Mapping[Path, str]:
    """Every file that `install` writes, by its path; the settings are only written where there are none."""
    again = f"{1000 * RESTARTS_AFTER_S:.0f}ms"
    words = {
        "program": program,
        "settings": SETTINGS,
        "user": USER,
        "data": DATA,
        "stick": STICK,
        "again": again,
        "nice": NICE,
        "weight": CPU_WEIGHT,
    }
    return {
        UNIT: _UNIT.format(**words),
        Path("/etc/systemd/system/media-mafia.mount"): _MOUNT.format(**words),
        Path("/etc/udev/rules.d/70-mafia-table.rules"): _UDEV,
        Path("/etc/sysusers.d/mafia-table.conf"): _USERS.format(**words),
        Path("/etc/systemd/journald.conf.d/mafia-table.conf"): _JOURNALD.format(**words),
        SETTINGS: _TABLE.format(**words),
    }


def install(root: Path, program: Path) -> list[Path]:
    """Write the files below `root` and, where that is the machine itself, start the table. Return what was written.

    Raises OutOfReach, OSError, or subprocess.CalledProcessError where systemd will not.
    """
    if root == Path("/") and any(program.is_relative_to(hidden) for hidden in _HIDDEN):
        raise OutOfReach(str(program))
    written: list[Path] = []
    for path, text in files(program).items():
        there = _below(root, path)
        if path == SETTINGS and there.exists():
            continue
        there.parent.mkdir(parents=True, exist_ok=True)
        write_whole(there, text.encode())
        written.append(there)
    _below(root, STICK).mkdir(parents=True, exist_ok=True)
    compile_ahead()
    if root == Path("/"):
        _tell(["systemd-sysusers"])
        _tell(["systemctl", "daemon-reload"])
        _tell(["udevadm", "control", "--reload"])
        _tell(["systemctl", "restart", "systemd-journald"])
        _tell(["systemctl", "enable", "--now", UNIT.name])
    return written


def compile_ahead() -> None:
    """Compile the program and its libraries. The service may not write beside them, and would compile all of them anew
    at every start: twice the time until it answers."""
    for folder in (*(HOUSE / room for room in _ROOMS), Path(sysconfig.get_path("purelib"))):
        compileall.compile_dir(folder, quiet=2)  # where it cannot write, the table starts all the same


def uninstall(root: Path, *, data: bool = False) -> list[Path]:
    """Stop the table and take away what `install` wrote, but for the settings; with `data` those and all games too.

    Raises OSError. Return what was taken away.
    """
    if root == Path("/"):
        subprocess.run(["systemctl", "disable", "--now", UNIT.name], check=False)
    gone = [
        there
        for path in files(Path(sys.executable))
        if (there := _below(root, path)).exists() and (data or path != SETTINGS)
    ]
    for there in gone:
        there.unlink()
    if data and (folder := _below(root, DATA)).exists():
        shutil.rmtree(folder)
        gone.append(folder)
    if root == Path("/"):
        _tell(["systemctl", "daemon-reload"])
    return gone


def this_program() -> Path:
    """The `mafia-table` that runs."""
    return Path(sys.executable).with_name("mafia-table")


def _below(root: Path, path: Path) -> Path:
    return root / path.relative_to("/")


def _tell(command: list[str]) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
