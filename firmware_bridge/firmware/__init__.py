"""The program of the table's microcontroller, a Raspberry Pi Pico under MicroPython: pins in, the wire out."""
