"""Which card is played on: by name, never the machine's default."""

from controller.sound.cards import Card, cards_in, choose

ANALOG = Card("pulse/alsa_output.platform-bcm2835.stereo", "Built-in Audio Stereo")
USB = Card("pulse/alsa_output.usb-Focusrite_Scarlett", "Scarlett Solo USB")
HDMI = Card("pulse/alsa_output.platform-hdmi.stereo", "Built-in Audio Digital Stereo (HDMI)")


def listed(*cards: Card) -> list[dict[str, str]]:
    rest = [{"name": "auto", "description": "Autoselect device"}, {"name": "jack", "description": "Default (jack)"}]
    return rest + [{"name": card.device, "description": card.name} for card in cards]


def test_the_best_named_card_is_taken_wherever_it_stands():
    assert choose((ANALOG, HDMI, USB), ("scarlett", "built-in audio stereo")) == USB
    assert choose((HDMI, ANALOG), ("scarlett", "built-in audio stereo")) == ANALOG


def test_a_card_that_is_not_named_is_not_taken():
    assert choose((HDMI, ANALOG), ("scarlett",)) is None


def test_without_names_no_screen_is_played_on_while_there_is_anything_else():
    assert choose((HDMI, ANALOG), ()) == ANALOG
    assert choose((HDMI,), ()) == HDMI
    assert choose((), ()) is None


def test_hdmi_that_is_plugged_in_changes_nothing():
    assert choose((HDMI, ANALOG, USB), (), present=USB) == USB
    assert choose((HDMI, USB, ANALOG), (), present=ANALOG) == ANALOG


def test_a_sound_servers_cards_hide_those_of_alsa():
    alsa = Card("alsa/sysdefault:CARD=Headphones", "bcm2835 Headphones")
    assert cards_in(listed(ANALOG, alsa)) == (ANALOG,)
    assert cards_in(listed(alsa, Card("alsa/lavrate", "Rate Converter"))) == (alsa,)
    assert cards_in(listed()) == ()
    assert ANALOG.sink == "alsa_output.platform-bcm2835.stereo"
    assert alsa.sink is None
