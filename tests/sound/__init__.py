"""Tests of controller.sound: what should sound, and real mpv into a null sink whose monitor is measured."""
