//! Projects, VPCs and addresses.

use croft_api::{
    Result, internet_gateway::GatewaySelector, ip_pool::IpRange, router::RouterSelector, scalar::NameOrId,
    vpc::VpcSelector,
};
use croft_control::{
    firewall, floating_ip, internet_gateway, ip_pool, operation, policy, project, router, subnet, vpc,
};

use crate::{
    people::{DemoActors, policy_of},
    stage::{DemoTransaction, Person, date, named},
};

/// The main project, with at least one of each kind of resource.
pub const MAIN: &str = "mock-project";
/// The project with more disks than fit on a page, and with failures.
pub const OTHER: &str = "other-project";
/// The project that uses most of the silo's quota.
pub const BIG: &str = "warehouse";
/// The project of the other silo.
pub const FAR: &str = "adventure";

const MAIN_VPC: &str = "mock-vpc";
const OTHER_VPC: &str = "mock-vpc-2";
/// Addresses that must not be assigned before the machines have theirs.
const HELD: [u8; 8] = [0, 1, 2, 3, 6, 7, 8, 9];

fn in_vpc(vpc: &str, project: &str) -> Result<VpcSelector> {
    Ok(VpcSelector { vpc: named(vpc)?, project: Some(named(project)?) })
}

/// A pool: name, description, ranges, and the silo that it is linked to.
struct Pool {
    name: &'static str,
    description: &'static str,
    ranges: &'static [(&'static str, &'static str)],
    link: Option<(&'static str, bool)>,
}

const POOLS: [Pool; 5] = [
    Pool {
        name: "ip-pool-1",
        description: "public IPs",
        ranges: &[("123.4.56.0", "123.4.56.20"), ("10.0.0.20", "10.0.0.22")],
        link: Some(("maze-war", true)),
    },
    Pool {
        name: "ip-pool-2",
        description: "VPN IPs",
        ranges: &[("fd00::1", "fd00::20")],
        link: Some(("maze-war", false)),
    },
    Pool { name: "ip-pool-3", description: "empty", ranges: &[], link: None },
    Pool {
        name: "ip-pool-4",
        description: "empty",
        ranges: &[("10.0.0.50", "10.0.1.0"), ("::1", "::ffff:ffff:ffff:ffff")],
        link: None,
    },
    Pool {
        name: "myriad-pool",
        description: "addresses of the second silo",
        ranges: &[("203.0.113.0", "203.0.113.15")],
        link: Some(("myriad", true)),
    },
];

/// Creates pools and links, as the administrator of the fleet.
pub fn pools(stage: &mut DemoTransaction<'_, '_>, hannah: Person) -> Result<()> {
    for Pool { name, description, ranges, link } in POOLS {
        let body = format!(r#"{{"name":"{name}","description":"{description}"}}"#);
        stage.act(&hannah, &operation::IP_POOL_CREATE, &body, ip_pool::create)?;
        let pool = named(name)?;
        for (first, last) in ranges {
            let body = format!(r#"{{"first":"{first}","last":"{last}"}}"#);
            stage.act(&hannah, &operation::IP_POOL_RANGE_ADD, &body, |cx, by, body: &IpRange| {
                ip_pool::range_add(cx, by, &pool, *body)
            })?;
        }
        if let Some((silo, is_default)) = link {
            let body = format!(r#"{{"silo":"{silo}","is_default":{is_default}}}"#);
            stage.act(&hannah, &operation::IP_POOL_SILO_LINK, &body, |cx, by, body| {
                ip_pool::silo_link(cx, by, &pool, body)
            })?;
        }
    }
    Ok(())
}

/// When the projects were created.
pub const PROJECTS_MADE: &str = "2021-05-17T12:00:00Z";

/// The projects and their policies.
pub fn projects(stage: &mut DemoTransaction<'_, '_>, cast: &DemoActors) -> Result<()> {
    stage.now = date(PROJECTS_MADE)?;
    for (person, name, description) in [
        (cast.hannah, MAIN, "a fake project"),
        (cast.hannah, OTHER, "another fake project"),
        (cast.hannah, BIG, "uses most of the memory"),
        (cast.baruch, FAR, "a project of the second silo"),
    ] {
        let body = format!(r#"{{"name":"{name}","description":"{description}"}}"#);
        stage.act(&person, &operation::PROJECT_CREATE, &body, project::create)?;
    }
    let body =
        policy_of(&[(cast.jacob, "silo_user", "collaborator"), (cast.kernel_devs, "silo_group", "viewer")]);
    let main = named(MAIN)?;
    stage.act(&cast.hannah, &operation::PROJECT_POLICY_UPDATE, &body, |cx, by, body| {
        policy::project_update(cx, by, &main, body)
    })?;
    Ok(())
}

/// The VPCs of the main projects.
pub fn vpcs(stage: &mut DemoTransaction<'_, '_>, hannah: Person) -> Result<()> {
    for (project, name, prefix) in
        [(MAIN, MAIN_VPC, "fdf6:1818:b6e1::/48"), (OTHER, OTHER_VPC, "fdf6:1818:b6e2::/48")]
    {
        let body = format!(
            r#"{{"name":"{name}","description":"a fake vpc","dns_name":"{name}","ipv6_prefix":"{prefix}"}}"#
        );
        let project = named(project)?;
        stage.act(&hannah, &operation::VPC_CREATE, &body, |cx, by, body| {
            vpc::create(cx, by, &project, body)
        })?;
    }
    let main = in_vpc(MAIN_VPC, MAIN)?;
    let body = r#"{"name":"mock-subnet","description":"a fake subnet","ipv4_block":"10.1.1.0/24",
        "ipv6_block":"fdf6:1818:b6e1:4245::/64"}"#;
    stage.act(&hannah, &operation::VPC_SUBNET_CREATE, body, |cx, by, body| {
        subnet::create(cx, by, &main, body)
    })?;
    rules(stage, hannah)?;
    gateways(stage, hannah)?;
    routes(stage, hannah, &main)
}

const RULES: &str = r#"{"rules":[
    {"name":"lots-of-filters","description":"we really filter a lot","status":"enabled","direction":"inbound",
     "action":"allow","priority":65534,"targets":[{"type":"vpc","value":"mock-vpc-2"}],
     "filters":{"hosts":[{"type":"instance","value":"hello-friend"},{"type":"subnet","value":"my-subnet"},
       {"type":"ip","value":"148.38.89.5"}],
       "protocols":[{"type":"tcp"},{"type":"icmp","value":{"icmp_type":5,"code":"1-3"}}],"ports":["3389","45-89"]}},
    {"name":"lots-of-targets","description":"we really target a lot","status":"enabled","direction":"inbound",
     "action":"allow","priority":65534,"targets":[{"type":"instance","value":"my-inst"},
       {"type":"ip","value":"125.34.25.2"},{"type":"subnet","value":"subsubsub"}],
     "filters":{"hosts":null,"protocols":null,"ports":["80"]}}]}"#;

fn rules(stage: &mut DemoTransaction<'_, '_>, hannah: Person) -> Result<()> {
    let other = in_vpc(OTHER_VPC, OTHER)?;
    stage.act(&hannah, &operation::VPC_FIREWALL_RULES_UPDATE, RULES, |cx, by, body| {
        firewall::rules_update(cx, by, &other, body)
    })?;
    Ok(())
}

fn gateways(stage: &mut DemoTransaction<'_, '_>, hannah: Person) -> Result<()> {
    for (project, vpc, name, pool) in [
        (MAIN, MAIN_VPC, "internet-gateway-1", Some("ip-pool-1")),
        (MAIN, MAIN_VPC, "internet-gateway-2", Some("ip-pool-2")),
        (OTHER, OTHER_VPC, "internet-gateway-3", None),
    ] {
        let within = in_vpc(vpc, project)?;
        let body = format!(r#"{{"name":"{name}","description":"a fake internet gateway"}}"#);
        stage.act(&hannah, &operation::INTERNET_GATEWAY_CREATE, &body, |cx, by, body| {
            internet_gateway::create(cx, by, &within, body)
        })?;
        let Some(pool) = pool else { continue };
        let gateway =
            GatewaySelector { gateway: named(name)?, vpc: Some(within.vpc), project: within.project };
        let body = format!(
            r#"{{"name":"{pool}","description":"addresses for outbound connections","ip_pool":"{pool}"}}"#
        );
        stage.act(&hannah, &operation::INTERNET_GATEWAY_IP_POOL_CREATE, &body, |cx, by, body| {
            internet_gateway::ip_pool_create(cx, by, &gateway, body)
        })?;
        if pool == "ip-pool-1" {
            let body = r#"{"name":"gateway-address","description":"address for outbound connections","address":"123.4.56.3"}"#;
            stage.act(&hannah, &operation::INTERNET_GATEWAY_IP_ADDRESS_CREATE, body, |cx, by, body| {
                internet_gateway::ip_address_create(cx, by, &gateway, body)
            })?;
        }
    }
    Ok(())
}

fn routes(stage: &mut DemoTransaction<'_, '_>, hannah: Person, main: &VpcSelector) -> Result<()> {
    let body = r#"{"name":"mock-custom-router","description":"a fake custom router"}"#;
    stage.act(&hannah, &operation::VPC_ROUTER_CREATE, body, |cx, by, body| {
        router::create(cx, by, main, body)
    })?;
    let router = RouterSelector {
        router: named("mock-custom-router")?,
        vpc: Some(main.vpc.clone()),
        project: main.project.clone(),
    };
    for body in [
        r#"{"name":"drop-local","description":"packets to this address are dropped",
            "destination":{"type":"ip","value":"192.168.1.1"},"target":{"type":"drop"}}"#,
        r#"{"name":"dc2","description":"route to the other data center",
            "destination":{"type":"ip_net","value":"45.154.216.0/24"},
            "target":{"type":"internet_gateway","value":"internet-gateway-1"}}"#,
    ] {
        stage.act(&hannah, &operation::VPC_ROUTER_ROUTE_CREATE, body, |cx, by, body| {
            router::route_create(cx, by, &router, body)
        })?;
    }
    Ok(())
}

fn floating(
    stage: &mut DemoTransaction<'_, '_>,
    hannah: Person,
    name: &str,
    description: &str,
    ip: &str,
) -> Result<()> {
    let project = named(MAIN)?;
    let body = format!(r#"{{"name":"{name}","description":"{description}","ip":"{ip}"}}"#);
    stage.act(&hannah, &operation::FLOATING_IP_CREATE, &body, |cx, by, body| {
        floating_ip::create(cx, by, &project, body)
    })?;
    Ok(())
}

/// Creates floating IPs. The addresses below the SNAT range are reserved by temporary ones, whose names are returned.
pub fn floating_ips(stage: &mut DemoTransaction<'_, '_>, hannah: Person) -> Result<Vec<String>> {
    floating(stage, hannah, "rootbeer-float", "A classic.", "123.4.56.4")?;
    floating(stage, hannah, "cola-float", "A favourite.", "123.4.56.5")?;
    let held: Vec<String> = HELD.iter().map(|last| format!("held-{last}")).collect();
    for (name, last) in held.iter().zip(HELD) {
        floating(stage, hannah, name, "", &format!("123.4.56.{last}"))?;
    }
    Ok(held)
}

/// Deletes the temporary floating IPs.
pub fn release_addresses(stage: &mut DemoTransaction<'_, '_>, hannah: Person, held: &[String]) -> Result<()> {
    let project = named(MAIN)?;
    for name in held {
        let floating: NameOrId = named(name)?;
        stage.act(&hannah, &operation::FLOATING_IP_DELETE, "null", |cx, by, (): &()| {
            floating_ip::delete(cx, by, &floating, Some(&project))
        })?;
    }
    Ok(())
}
