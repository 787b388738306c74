"""What the microcontroller starts by itself: on the device this file lies at the top, as main.py."""

from firmware_bridge.firmware.run import main

main()
