// What the loaders of routes ask of the API as soon as they run, by the file of the route: the server names these calls in its pages, so
// that a browser sends them while it still fetches the code. `$name` stands for the parameter of the address. A call that no loader sends
// in exactly this form would be sent twice; `e2e/tests/preloads.spec.ts` finds it.

const instance = '/v1/instances/$instance'

export const firstCalls = {
  '_authenticated.tsx': [
    '/v1/me',
    '/experimental/v1/me/permissions?on=fleet',
    '/experimental/v1/view-as',
  ],
  '_authenticated/_silo.tsx': ['/experimental/v1/me/permissions?on=silo'],
  '_authenticated/_silo/_projects.tsx': ['/experimental/v1/me/projects?limit=50'],
  '_authenticated/_silo/_images.tsx': ['/v1/images?limit=50'],
  '_authenticated/projects/$project/route.tsx': [
    '/v1/projects/$project',
    '/experimental/v1/me/permissions?on=project&project=$project',
  ],
  '_authenticated/projects/$project/instances/index.tsx': [
    '/v1/instances?project=$project&limit=50',
  ],
  '_authenticated/projects/$project/_disks.tsx': [
    '/v1/disks?project=$project&limit=50',
    '/v1/instances?project=$project&limit=200',
  ],
  '_authenticated/projects/$project/_snapshots.tsx': [
    '/v1/snapshots?project=$project&limit=50',
    '/v1/disks?project=$project&limit=1000',
  ],
  '_authenticated/projects/$project/_images.tsx': ['/v1/images?project=$project&limit=50'],
  '_authenticated/projects/$project/_vpcs.tsx': ['/v1/vpcs?project=$project&limit=50'],
  '_authenticated/projects/$project/_floating-ips.tsx': [
    '/v1/floating-ips?project=$project&limit=50',
    '/v1/instances?project=$project&limit=1000',
    '/v1/ip-pools?limit=1000',
  ],
  '_authenticated/projects/$project/instances/$instance/_tabs.tsx': [
    `${instance}?project=$project`,
    `${instance}/external-ips?project=$project`,
    `/v1/network-interfaces?project=$project&instance=$instance&limit=1000`,
  ],
}
