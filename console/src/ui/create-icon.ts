import { createElement } from 'react'
import type { SVGProps } from 'react'

/** The path of a stroke, or another shape with its attributes. */
export type IconShape = string | readonly [tag: string, attributes: Record<string, string>]

/**
 * A component that draws an icon of lucide, 24 units wide. The build makes the icons of `lucide-react` with it, so it shows what they show.
 * Props go to the `svg`; one that nothing describes is decoration.
 */
export function createIcon(shapes: readonly IconShape[]) {
  return function Icon({ children, ...props }: SVGProps<SVGSVGElement>) {
    const isDescribed =
      children ||
      Object.entries(props).some(
        ([name, value]) => value != null && /^(aria-|role$|title$)/.test(name),
      )
    return createElement(
      'svg',
      {
        xmlns: 'http://www.w3.org/2000/svg',
        width: 24,
        height: 24,
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: 2,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        'aria-hidden': isDescribed ? undefined : 'true',
        ...props,
      },
      ...shapes.map((shape) =>
        typeof shape === 'string'
          ? createElement('path', { d: shape })
          : createElement(shape[0], shape[1]),
      ),
      children,
    )
  }
}
