// Starts a page: the font first, since names are measured, then the picture.
import { mount, type Component } from 'svelte'
import { languageFromAddress } from './entry'
import { fontsReady } from './measure'
import { dressRoot } from './motion'
import './tokens.css'

export async function start(page: Component): Promise<void> {
  document.documentElement.lang = languageFromAddress()
  dressRoot()
  await fontsReady()
  mount(page, { target: document.getElementById('app')! })
}
