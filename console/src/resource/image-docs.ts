import type { PageDocs } from '~/ui/page-header'

/** What the pages of images say about them. */
export const imageDocs: PageDocs = {
  heading: 'images',
  summary:
    'New disks can be created from an image. Upload an image to a project, or create one from a snapshot. Promote an image to the silo to make it visible in every project.',
  links: [{ label: 'Images in the API explorer', href: '/explorer?operation=image_list' }],
}
