import { useState } from 'react'

const key = 'croft-sidebar'

/** Whether the sidebar is collapsed, remembered in this browser. */
export function useSidebarCollapsed() {
  const [isCollapsed, setCollapsed] = useState(() => localStorage.getItem(key) === 'collapsed')
  const toggle = () => {
    localStorage.setItem(key, isCollapsed ? 'open' : 'collapsed')
    setCollapsed(!isCollapsed)
  }
  return { isCollapsed, toggle }
}
