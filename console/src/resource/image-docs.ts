import type { PageDocs } from '~/ui/page-header'

/** What the pages of images say about them. */
export const imageDocs: PageDocs = {
  heading: 'images',
  summary:
    'An image is what new disks can be made from. It is uploaded into a project or made from a snapshot there, and can be promoted to the silo, so that every project sees it.',
  links: [{ label: 'Images in the API explorer', href: '/explorer?operation=image_list' }],
}
