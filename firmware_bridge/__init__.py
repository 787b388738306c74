"""The wire protocol to the microcontroller, its link and its clock, and the firmware itself."""
