"""MicroPython's `time` on the stand-in board: its ticks are the board's, 2^30 of them as on a Pico."""

import machine
from utime import *


def ticks_us():
    return machine.ticks_us()


def sleep_us(duration):
    machine.sleep_us(duration)
