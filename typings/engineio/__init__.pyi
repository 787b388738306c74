"""The part of python-engineio that the service adjusts: its clock and its websocket."""

from engineio import async_socket as async_socket
from engineio import base_socket as base_socket
