"""Every sentence a person reads, in Russian, Ukrainian and English, in one place."""
