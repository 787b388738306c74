"""Whether browsers will take the service's own certificate today: one that has run out, or that a computer with a wrong
clock does not know yet, is refused by every tablet, and the picture in OBS stays empty."""

import ssl
from contextlib import suppress
from typing import Final

_OUT_OF_DATE: Final = (9, 10)
"""OpenSSL's X509_V_ERR_CERT_NOT_YET_VALID and X509_V_ERR_CERT_HAS_EXPIRED."""


def is_out_of_date(served: ssl.SSLContext, file: str) -> bool:
    """Whether a client that trusts the certificate in `file`, which `served` shows, would say that it is not of today.
    The two greet each other in memory. Raises OSError."""
    trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    trusting.check_hostname = False
    trusting.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    trusting.load_verify_locations(file)
    there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = trusting.wrap_bio(back, there)
    server = served.wrap_bio(there, back, server_side=True)
    for _ in range(4):
        try:
            with suppress(ssl.SSLWantReadError):
                client.do_handshake()
        except ssl.SSLCertVerificationError as wrong:
            return wrong.verify_code in _OUT_OF_DATE
        with suppress(ssl.SSLError):
            server.do_handshake()
    return False
