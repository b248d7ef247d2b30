import './styles/base.css'

import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { LoginScreen } from './login/login-screen'

const root = document.getElementById('root')
if (!root) throw new Error('the page has no #root')

createRoot(root).render(
  <StrictMode>
    <LoginScreen pathname={window.location.pathname} />
  </StrictMode>,
)
