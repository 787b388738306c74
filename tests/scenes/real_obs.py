"""The real OBS Studio under Xvfb with software OpenGL: small, slow, with its own home, and always ended."""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

from scenes.client import Address, Client, NoObs

WIDTH, HEIGHT, FPS = 640, 360, 10
STARTS_WITHIN_S = 40.0
PASSWORD = "hall of mirrors"
COLOURS = {"First": 0xFF2D7A1F, "Second": 0xFF1F2D7A}


def free_port() -> int:
    """A port on which nobody listens."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


class RealObs:
    """One OBS, which can be killed, frozen and started anew with another password."""

    def __init__(self, folder: Path, display: str, collection: Path | None = None) -> None:
        self.folder = folder
        self.port = free_port()
        self.password = PASSWORD
        self._display = display
        self._process: subprocess.Popen[bytes] | None = None
        self._clients: list[Client] = []
        config = self._config
        for each in ("basic/profiles/Test", "basic/scenes", "plugin_config/obs-websocket"):
            (config / each).mkdir(parents=True)
        (folder / "run").mkdir(mode=0o700)
        (config / "basic/profiles/Test/basic.ini").write_text(
            f"[General]\nName=Test\n[Video]\nBaseCX={WIDTH}\nBaseCY={HEIGHT}\nOutputCX={WIDTH}\nOutputCY={HEIGHT}\n"
            f"FPSType=0\nFPSCommon={FPS}\n[Output]\nMode=Simple\n"
            f"[SimpleOutput]\nRecRB=true\nRecRBTime=5\nFilePath={folder}\nRecFormat=mkv\nRecQuality=Small\n"
            "RecEncoder=x264\nStreamEncoder=x264\n"
        )
        scenes = config / "basic/scenes/Test.json"
        scenes.write_bytes(collection.read_bytes() if collection is not None else _two_scenes())

    @property
    def _config(self) -> Path:
        return self.folder / "home" / ".config" / "obs-studio"

    @property
    def address(self) -> Address:
        """Where it listens."""
        return Address("127.0.0.1", self.port, self.password)

    def start(self) -> "RealObs":
        """Starts it and returns at once."""
        home = self.folder / "home"
        ini = (
            "[General]\nFirstRun=true\nPre19Defaults=false\nPre21Defaults=false\nPre23Defaults=false\n"
            "Pre24.1Defaults=false\nLastVersion=486539266\nEnableAutoUpdates=false\nConfirmOnExit=false\n"
            "[Basic]\nProfile=Test\nProfileDir=Test\nSceneCollection=Test\nSceneCollectionFile=Test\n"
            "[BasicWindow]\nSysTrayEnabled=false\n"
            f"[OBSWebSocket]\nFirstLoad=false\nServerEnabled=true\nServerPort={self.port}\nAlertsEnabled=false\n"
            f"AuthRequired=true\nServerPassword={self.password}\n"
        )
        (self._config / "global.ini").write_text(ini)
        (self._config / "user.ini").write_text(ini)
        server = {
            "first_load": False,
            "server_enabled": True,
            "server_port": self.port,
            "alerts_enabled": False,
            "auth_required": True,
            "server_password": self.password,
        }
        (self._config / "plugin_config/obs-websocket/config.json").write_text(json.dumps(server))
        environment = {
            **os.environ,
            "HOME": str(home),
            "XDG_CONFIG_HOME": str(home / ".config"),
            "XDG_CACHE_HOME": str(home / ".cache"),
            "XDG_RUNTIME_DIR": str(self.folder / "run"),
            "DISPLAY": self._display,
            "LIBGL_ALWAYS_SOFTWARE": "1",
            "GALLIUM_DRIVER": "llvmpipe",
            "LP_NUM_THREADS": "1",
            "QT_QPA_PLATFORM": "xcb",
        }
        options = ["--multi", "--minimize-to-tray", "--disable-updater", "--disable-missing-files-check"]
        options += ["--disable-shutdown-check", "--collection", "Test", "--profile", "Test", "--websocket_ipv4_only"]
        options += ["--websocket_port", str(self.port), "--websocket_password", self.password]
        with (self.folder / "obs.log").open("ab") as log:
            self._process = subprocess.Popen(["obs", *options], env=environment, stdout=log, stderr=log)
        return self

    def client(self) -> Client:
        """A connection of the test's own, as soon as OBS lets one in and is ready."""
        until = time.monotonic() + STARTS_WITHIN_S
        while True:
            assert self._process is not None
            assert self._process.poll() is None, (self.folder / "obs.log").read_text(errors="replace")[-2000:]
            try:
                client = Client(self.address)
                self._clients.append(client)
                client.call("GetSceneList")
                return client
            except NoObs:
                assert time.monotonic() < until, "OBS has not come up"
                time.sleep(0.1)

    def kill(self) -> None:
        """It dies at once."""
        self._signal(signal.SIGKILL)  # also one that is frozen
        assert self._process is not None
        self._process.wait(10)

    def freeze(self) -> None:
        """It stops where it is."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """It goes on."""
        self._signal(signal.SIGCONT)

    def end(self) -> None:
        """It is ended, whatever became of it."""
        for client in self._clients:
            client.close()
        process = self._process
        if process is None or process.poll() is not None:
            return
        self.thaw()
        self._signal(signal.SIGINT)
        try:
            process.wait(6)
        except subprocess.TimeoutExpired:
            self.kill()

    def _signal(self, number: signal.Signals) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(number)


@contextlib.contextmanager
def display(folder: Path) -> Generator[str]:
    """A screen for OBS that nobody sees."""
    read, write = os.pipe()
    options = ["-screen", "0", "1024x768x24", "-nolisten", "tcp", "-noreset"]
    with (folder / "xvfb.log").open("wb") as log:
        server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), *options], pass_fds=[write], stdout=log, stderr=log
        )
    os.close(write)
    try:
        with os.fdopen(read) as named:
            number = named.readline().strip()
        assert number, (folder / "xvfb.log").read_text(errors="replace")
        yield f":{number}"
    finally:
        server.terminate()
        server.wait(10)


def missing() -> str | None:
    """Which program is not here; None: all are."""
    return next((name for name in ("obs", "Xvfb") if shutil.which(name) is None), None)


def colour_source(name: str, colour: int) -> dict[str, Any]:
    """A full picture of one colour (ABGR), as it stands in a collection."""
    settings = {"color": colour, "width": WIDTH, "height": HEIGHT}
    return _source("color_source", "color_source_v3", name, settings)


def _source(kind: str, versioned: str, name: str, settings: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": kind,
        "versioned_id": versioned,
        "name": name,
        "settings": settings,
        "enabled": True,
        "flags": 0,
        "hotkeys": {},
        "mixers": 0,
        "muted": False,
        "volume": 1.0,
        "private_settings": {},
    }


def _two_scenes() -> bytes:
    """A collection with two plain scenes, as a producer may have one."""
    sources: list[dict[str, Any]] = []
    for name, colour in COLOURS.items():
        item = {"id": 1, "name": f"plain {name}", "visible": True, "align": 5, "scale": {"x": 1.0, "y": 1.0}}
        sources.append(colour_source(f"plain {name}", colour))
        sources.append(_source("scene", "scene", name, {"id_counter": 1, "custom_size": False, "items": [item]}))
    first = next(iter(COLOURS))
    made = {
        "name": "Test",
        "current_scene": first,
        "current_program_scene": first,
        "current_transition": "Fade",
        "transition_duration": 200,
        "scene_order": [{"name": name} for name in COLOURS],
        "sources": sources,
        "groups": [],
        "transitions": [],
        "quick_transitions": [],
        "modules": {},
    }
    return json.dumps(made).encode()
