// The tablet stays lit while the judge's page is open: browsers allow that only where the page comes over HTTPS.

class Awake {
  /** Whether the screen is kept from going dark. */
  lit = $state(false)

  constructor() {
    void this.ask()
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && void this.ask())
  }

  private async ask(): Promise<void> {
    if (!isSecureContext || !('wakeLock' in navigator)) return
    const lock = await navigator.wakeLock.request('screen').catch(() => null)
    this.lit = lock !== null
    lock?.addEventListener('release', () => (this.lit = false))
  }
}

export const awake = new Awake()
