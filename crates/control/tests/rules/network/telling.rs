//! The hypervisor is sent the wanted state of VPCs, and unchanged VPCs are not sent again.

use croft_api::firewall::VpcFirewallRuleUpdateParams;
use croft_api::vpc::VpcSelector;
use croft_control::{firewall, network, operation};
use croft_network::Network;
use croft_sled::{HypervisorError, simulated::Call};
use croft_store::{ListBy, records::Vpc};
use serde_json::{Value, json};
use uuid::Uuid;

use super::new_vpc;
use crate::kit::{Cloud, by_name};

/// The networks of all VPCs according to the records.
fn wanted(cloud: &mut Cloud) -> Vec<Network> {
    let networks = cloud.rule(|cx| {
        let vpcs: Vec<Vpc> = cx.tx.page(ListBy::All, croft_store::Sort::IdAsc, None, 100)?;
        vpcs.into_iter().map(|vpc| network::of(cx.tx, vpc)).collect()
    });
    networks.unwrap()
}

fn sent(cloud: &Cloud) -> Vec<Network> {
    cloud.hypervisor.networks().into_iter().map(|id| cloud.hypervisor.network(id).unwrap()).collect()
}

fn check(cloud: &mut Cloud) {
    cloud.settle();
    assert_eq!(sent(cloud), wanted(cloud));
}

fn set_rules(cloud: &mut Cloud, rules: Value) {
    let params: VpcFirewallRuleUpdateParams = serde_json::from_value(json!({ "rules": rules })).unwrap();
    let admin = cloud.admin.clone();
    let of = VpcSelector { vpc: by_name("default"), project: Some(by_name("web")) };
    cloud
        .act(&admin, &operation::VPC_FIREWALL_RULES_UPDATE, move |cx, caller| {
            firewall::rules_update(cx, caller, &of, &params)
        })
        .unwrap();
}

fn default_vpc(cloud: &mut Cloud) -> Uuid {
    wanted(cloud).into_iter().find(|network| network.dns_name.as_str() == "default").unwrap().id
}

#[test]
fn changes_of_a_vpc_are_sent_to_hosts() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    check(&mut cloud);
    let id = default_vpc(&mut cloud);
    let rules = cloud.hypervisor.network(id).unwrap().rules.len();
    assert_eq!(rules, 0, "no rule applies without instances");
    let instance = cloud.instance("web", "db1");
    check(&mut cloud);
    let network = cloud.hypervisor.network(id).unwrap();
    assert_eq!((network.interfaces.len(), network.rules.len()), (1, 3));
    set_rules(&mut cloud, json!([]));
    check(&mut cloud);
    assert_eq!(cloud.hypervisor.network(id).unwrap().rules.len(), 0);
    cloud.floating_ip("web", "f1");
    new_vpc(&mut cloud, "other");
    check(&mut cloud);
    let machines = cloud.hypervisor.networks().len();
    cloud.delete_instance(instance.id).unwrap();
    check(&mut cloud);
    let admin = cloud.admin.clone();
    cloud.remove_network(&admin, "web");
    check(&mut cloud);
    assert_eq!(cloud.hypervisor.networks().len(), machines - 1);
}

#[test]
fn failed_host_changes_are_retried() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    cloud.settle();
    let trouble = || HypervisorError::Failed("no room".to_owned());
    cloud.instance("web", "db1");
    cloud.hypervisor.fail_next(Call::EnsureNetwork, trouble());
    cloud.settle();
    assert_ne!(sent(&cloud), wanted(&mut cloud));
    cloud.pass_seconds(60);
    check(&mut cloud);
    cloud.hypervisor.lose_next_answer(Call::EnsureNetwork);
    set_rules(&mut cloud, json!([]));
    cloud.settle();
    cloud.pass_seconds(60);
    check(&mut cloud);
    new_vpc(&mut cloud, "other");
    check(&mut cloud);
}

#[test]
fn failed_vpc_does_not_delay_others() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    cloud.instance("web", "db1");
    check(&mut cloud);
    cloud.hypervisor.fail_next(Call::EnsureNetwork, HypervisorError::Failed("no room".to_owned()));
    set_rules(&mut cloud, json!([]));
    cloud.settle();
    let before = cloud.hypervisor.networks().len();
    new_vpc(&mut cloud, "other");
    cloud.settle();
    assert_eq!(cloud.hypervisor.networks().len(), before + 1);
    assert_ne!(sent(&cloud), wanted(&mut cloud));
    cloud.pass_seconds(60);
    check(&mut cloud);
}

#[test]
fn a_vpc_that_could_not_be_removed_is_removed_later() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    check(&mut cloud);
    let before = cloud.hypervisor.networks().len();
    cloud.hypervisor.fail_next(Call::DeleteNetwork, HypervisorError::Failed("busy".to_owned()));
    let admin = cloud.admin.clone();
    cloud.remove_network(&admin, "web");
    cloud.settle();
    assert_eq!(cloud.hypervisor.networks().len(), before);
    cloud.pass_seconds(60);
    check(&mut cloud);
}

#[test]
fn restarted_server_resends_all_vpcs() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    cloud.instance("web", "db1");
    check(&mut cloud);
    cloud.restart_server();
    assert!(sent(&cloud).is_empty());
    check(&mut cloud);
}
