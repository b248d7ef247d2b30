//! Consistency checks of routers, routes and gateways.

use croft_api::Result;
use croft_store::{
    ListBy, Record, Tx,
    records::{
        InternetGateway, InternetGatewayIpAddress, InternetGatewayIpPool, RouteDestination, RouteTarget,
        RouterRoute, RouterRouteKind, Vpc, VpcRouter, VpcRouterKind, VpcSubnet,
    },
};
use uuid::Uuid;

use super::{NetworkRecords, every};
use crate::paging;

impl NetworkRecords {
    pub(super) fn routing(&mut self, tx: &mut Tx<'_>) -> Result<()> {
        for vpc in every::<Vpc>(tx)? {
            self.routers(tx, &vpc)?;
            self.subnets_of(tx, &vpc)?;
            self.gateways(tx, &vpc)?;
        }
        Ok(())
    }

    fn routers(&mut self, tx: &mut Tx<'_>, vpc: &Vpc) -> Result<()> {
        for router in of::<VpcRouter>(tx, vpc.meta.id)? {
            self.inside(vpc, &router);
            let is_system = router.meta.id == vpc.system_router_id;
            let right = is_system == (router.kind == VpcRouterKind::System);
            self.check(right, || format!("kind of router {}", router.meta.id));
            for route in of::<RouterRoute>(tx, router.meta.id)? {
                self.inside(vpc, &route);
                let right = is_system == (route.kind != RouterRouteKind::Custom)
                    && route.vpc_id == vpc.meta.id
                    && route.subnet_id.is_some() == (route.kind == RouterRouteKind::VpcSubnet);
                self.check(right, || format!("kind of route {}", route.meta.id));
            }
        }
        Ok(())
    }

    fn subnets_of(&mut self, tx: &mut Tx<'_>, vpc: &Vpc) -> Result<()> {
        for subnet in of::<VpcSubnet>(tx, vpc.meta.id)? {
            self.inside(vpc, &subnet);
            let id = subnet.meta.id;
            let route = tx.find(RouterRoute::SUBNET, id)?;
            let fits = route.is_some_and(|route: RouterRoute| {
                let name = subnet.name.as_str();
                let own = route.name == subnet.name
                    || route.name.as_str() == format!("conflict-{name}-{id}").as_str();
                own && route.vpc_router_id == vpc.system_router_id
                    && route.target == RouteTarget::Subnet { value: subnet.name.clone() }
                    && route.destination == RouteDestination::Subnet { value: subnet.name.clone() }
            });
            self.check(fits, || format!("route to subnet {id}"));
            let Some(router) = subnet.custom_router_id else { continue };
            let router: Option<VpcRouter> = tx.get(router)?;
            let fits = router
                .is_some_and(|router| router.kind == VpcRouterKind::Custom && router.vpc_id == vpc.meta.id);
            self.check(fits, || format!("custom router of subnet {id}"));
        }
        Ok(())
    }

    fn gateways(&mut self, tx: &mut Tx<'_>, vpc: &Vpc) -> Result<()> {
        for gateway in of::<InternetGateway>(tx, vpc.meta.id)? {
            self.inside(vpc, &gateway);
            for pool in of::<InternetGatewayIpPool>(tx, gateway.meta.id)? {
                self.inside(vpc, &pool);
            }
            let addresses = of::<InternetGatewayIpAddress>(tx, gateway.meta.id)?;
            self.check(addresses.len() <= 1, || format!("addresses of gateway {}", gateway.meta.id));
            for address in addresses {
                self.inside(vpc, &address);
            }
        }
        Ok(())
    }

    /// A record must have the project id of its VPC.
    fn inside(&mut self, vpc: &Vpc, record: &impl Record) {
        let right = record.scope() == vpc.scope();
        self.check(right, || format!("{} is not in the project of VPC {}", record.meta().id, vpc.meta.id));
    }
}

fn of<R: Record>(tx: &mut Tx<'_>, parent: Uuid) -> Result<Vec<R>> {
    paging::all(tx, &ListBy::Parent(parent))
}
