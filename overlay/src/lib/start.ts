// Starts a page: the font first, since names are measured, then the picture.
import { mount, type Component } from 'svelte'
import { languageFromAddress } from './entry'
import { fontsReady } from './measure'
import { dressRoot } from './motion'
import { dress } from './theme.svelte'
import './tokens.css'

/** `dressed`: whether the page wears the event's look; the tablet does not. */
export async function start(page: Component, dressed = false): Promise<void> {
  document.documentElement.lang = languageFromAddress()
  dressRoot()
  if (dressed) await dress()
  await fontsReady()
  mount(page, { target: document.getElementById('app')! })
}
