use croft_api::{Error, address_lot, allow_list, bfd, firewall, lldp, router, switch_port_settings};

use super::{converted, same_fields, same_variants};
use crate::records::{
    AddressLotKind, AllowedSourceIps, BfdMode, BgpSession, FirewallRuleContent, ImportExportPolicy, LinkFec,
    LinkSpeed, LldpLinkConfig, LldpLinkContent, RouteDestination, RouteTarget, RouterRouteKind, StaticRoute,
    SwitchInterfaceKind, SwitchPortGeometry, TxEqConfig, VpcFirewallIcmpFilter, VpcFirewallRuleAction,
    VpcFirewallRuleDirection, VpcFirewallRuleFilter, VpcFirewallRuleHostFilter, VpcFirewallRuleProtocol,
    VpcFirewallRuleStatus, VpcFirewallRuleTarget, VpcRouterKind,
};

same_variants!(AddressLotKind = address_lot::AddressLotKind { Infra, Pool });

same_variants!(BfdMode = bfd::BfdMode { SingleHop, MultiHop });

impl From<allow_list::AllowedSourceIps> for AllowedSourceIps {
    fn from(allowed: allow_list::AllowedSourceIps) -> Self {
        match allowed {
            allow_list::AllowedSourceIps::Any => Self::Any,
            allow_list::AllowedSourceIps::List { ips } => Self::List { ips: ips.into() },
        }
    }
}

/// Fails for a list without networks, which nobody can have asked for.
impl TryFrom<AllowedSourceIps> for allow_list::AllowedSourceIps {
    type Error = Error;

    fn try_from(allowed: AllowedSourceIps) -> Result<Self, Error> {
        match allowed {
            AllowedSourceIps::Any => Ok(Self::Any),
            AllowedSourceIps::List { ips } => {
                Ok(Self::List { ips: ips.try_into().map_err(Error::internal)? })
            }
        }
    }
}

same_variants!(VpcRouterKind = router::VpcRouterKind { System, Custom });
same_variants!(RouterRouteKind = router::RouterRouteKind { Default, VpcSubnet, VpcPeering, Custom });
same_variants!(
    RouteDestination = router::RouteDestination {
        Ip { value },
        IpNet { value },
        Vpc { value },
        Subnet { value }
    }
);
same_variants!(
    RouteTarget = router::RouteTarget {
        Ip { value },
        Vpc { value },
        Subnet { value },
        Instance { value },
        InternetGateway { value },
        Drop
    }
);

same_variants!(VpcFirewallRuleStatus = firewall::VpcFirewallRuleStatus { Disabled, Enabled });
same_variants!(VpcFirewallRuleDirection = firewall::VpcFirewallRuleDirection { Inbound, Outbound });
same_variants!(VpcFirewallRuleAction = firewall::VpcFirewallRuleAction { Allow, Deny });
same_variants!(
    VpcFirewallRuleTarget = firewall::VpcFirewallRuleTarget {
        Vpc { value },
        Subnet { value },
        Instance { value },
        Ip { value },
        IpNet { value }
    }
);
same_variants!(
    VpcFirewallRuleHostFilter = firewall::VpcFirewallRuleHostFilter {
        Vpc { value },
        Subnet { value },
        Instance { value },
        Ip { value },
        IpNet { value }
    }
);
same_fields!(VpcFirewallIcmpFilter = firewall::VpcFirewallIcmpFilter { icmp_type, code });
same_variants!(
    VpcFirewallRuleProtocol = firewall::VpcFirewallRuleProtocol {
        Tcp,
        Udp,
        Icmp { value: optional }
    }
);
same_fields!(
    VpcFirewallRuleFilter =
        firewall::VpcFirewallRuleFilter { hosts: optional_list, protocols: optional_list, ports }
);
same_fields!(
    FirewallRuleContent = firewall::VpcFirewallRuleUpdate {
        name,
        description,
        status,
        direction,
        targets: list,
        filters,
        action,
        priority
    }
);

same_variants!(SwitchPortGeometry = switch_port_settings::SwitchPortGeometry { Qsfp28x1, Qsfp28x2, Sfp28x4 });
same_variants!(LinkFec = switch_port_settings::LinkFec { Firecode, None, Rs });
same_variants!(
    LinkSpeed = switch_port_settings::LinkSpeed {
        Speed0G,
        Speed1G,
        Speed10G,
        Speed25G,
        Speed40G,
        Speed50G,
        Speed100G,
        Speed200G,
        Speed400G
    }
);
same_fields!(TxEqConfig = switch_port_settings::TxEqConfig { pre1, pre2, main, post2, post1 });
same_fields!(LldpLinkConfig = lldp::LldpLinkConfig { id, config });
same_fields!(
    LldpLinkContent = lldp::LldpLinkConfigCreate {
        enabled,
        link_name,
        link_description,
        chassis_id,
        system_name,
        system_description,
        management_ip
    }
);
same_variants!(
    SwitchInterfaceKind = switch_port_settings::SwitchInterfaceKind {
        Primary,
        Vlan { vid },
        Loopback
    }
);
same_fields!(StaticRoute = switch_port_settings::Route { dst, gw, vid, rib_priority });
same_fields!(
    BgpSession = switch_port_settings::BgpSession {
        addr,
        hold_time,
        idle_hold_time,
        delay_open,
        connect_retry,
        keepalive,
        remote_asn,
        min_ttl,
        md5_auth_key,
        multi_exit_discriminator,
        communities,
        local_pref,
        enforce_first_as,
        allowed_import,
        allowed_export,
        vlan_id
    }
);
same_variants!(ImportExportPolicy = switch_port_settings::ImportExportPolicy { NoFiltering, Allow(networks) });
