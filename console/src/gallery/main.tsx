import './gallery.css'

import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { Gallery } from '~/gallery/gallery'

const root = document.getElementById('root')
if (!root) throw new Error('gallery.html has no #root')

createRoot(root).render(
  <StrictMode>
    <Gallery />
  </StrictMode>,
)
