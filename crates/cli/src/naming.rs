//! The commands that operations have: `vpc_router_route_create` is `vpc router route create`.

/// Words that belong together in the name of a resource, written with a hyphen in commands. Longer ones come first.
const COMPOUNDS: [&str; 41] = [
    "switch_port_settings",
    "ssh_public_key",
    "anti_affinity_group",
    "sign_in_settings",
    "access_token",
    "address_lot",
    "affinity_group",
    "alert_class",
    "alert_receiver",
    "allow_list",
    "announce_set",
    "audit_log",
    "auth_settings",
    "bulk_write",
    "current_user",
    "device_auth",
    "ephemeral_ip",
    "external_ip",
    "firewall_rules",
    "floating_ip",
    "identity_provider",
    "inbound_icmp",
    "internet_gateway",
    "ip_address",
    "ip_pool",
    "local_idp",
    "loopback_address",
    "network_interface",
    "physical_disk",
    "recovery_codes",
    "second_factor",
    "serial_console",
    "silo_image",
    "ssh_key",
    "support_bundle",
    "switch_port",
    "target_release",
    "trust_root",
    "user_builtin",
    "view_as",
    "webhook_receiver",
];

/// Commands of operations whose ids do not end with a verb, or whose words read badly as they are.
const NAMED: [(&str, &str); 48] = [
    ("account_password_change", "account password change"),
    ("account_sessions_end_others", "account session end-others"),
    ("account_verify", "account verify complete"),
    ("account_verify_begin", "account verify begin"),
    ("alert_delivery_attempts_view", "alert delivery attempts"),
    ("alert_delivery_list", "alert delivery list"),
    ("alert_delivery_resend", "alert delivery resend"),
    ("current_user_groups", "current-user groups"),
    ("device_access_token", "device-auth token"),
    ("disk_bulk_write_import", "disk import-blocks write"),
    ("disk_bulk_write_import_start", "disk import-blocks start"),
    ("disk_bulk_write_import_stop", "disk import-blocks stop"),
    ("disk_finalize_import", "disk import-blocks finalize"),
    ("events", "events stream"),
    ("instance_graphical_console_picture", "instance graphical picture"),
    ("instance_graphical_console_stream", "instance graphical stream"),
    ("instance_serial_console", "instance serial history"),
    ("instance_serial_console_stream", "instance serial console"),
    ("ip_pool_service_range_add", "ip-pool service range add"),
    ("ip_pool_service_range_list", "ip-pool service range list"),
    ("ip_pool_service_range_remove", "ip-pool service range remove"),
    ("ip_pool_service_view", "ip-pool service view"),
    ("labels_in_use", "labels in-use"),
    ("local_idp_user_create", "silo local-idp user create"),
    ("local_idp_user_delete", "silo local-idp user delete"),
    ("local_idp_user_require_password_change", "silo local-idp user require-password-change"),
    ("local_idp_user_reset_second_factor", "silo local-idp user reset-second-factor"),
    ("local_idp_user_set_password", "silo local-idp user set-password"),
    ("login_local", "login-local"),
    ("login_options", "login-options"),
    ("login_saml", "login-saml"),
    ("logout", "session logout"),
    ("networking_bgp_exported", "networking bgp exported"),
    ("networking_bgp_imported_routes_ipv4", "networking bgp imported-routes"),
    ("networking_bgp_message_history", "networking bgp message-history"),
    ("networking_bgp_status", "networking bgp status"),
    ("networking_switch_port_apply_settings", "networking switch-port apply-settings"),
    ("networking_switch_port_clear_settings", "networking switch-port clear-settings"),
    ("networking_switch_port_lldp_neighbors", "networking switch-port lldp neighbors"),
    ("ping", "ping"),
    ("silo_metric", "silo metric"),
    ("sled_list_uninitialized", "sled list-uninitialized"),
    ("sled_set_provision_policy", "sled set-provision-policy"),
    ("support_bundle_download_file", "support-bundle download-file"),
    ("system_metric", "system metric"),
    ("system_update_get_repository", "system update repository view"),
    ("system_update_put_repository", "system update repository put"),
    ("vpc_subnet_list_network_interfaces", "vpc subnet network-interface list"),
];

/// The command of an operation, as its words.
pub fn command_of(operation: &str) -> Vec<String> {
    if let Some((_, command)) = NAMED.iter().find(|(id, _)| *id == operation) {
        return command.split(' ').map(str::to_owned).collect();
    }
    let mut words = Vec::new();
    let mut rest = operation;
    while !rest.is_empty() {
        let compound = COMPOUNDS.iter().find(|compound| {
            rest.strip_prefix(**compound).is_some_and(|after| after.is_empty() || after.starts_with('_'))
        });
        let word = compound.map_or_else(|| rest.split('_').next().unwrap_or(rest), |compound| *compound);
        words.push(word.replace('_', "-"));
        rest = rest[word.len()..].trim_start_matches('_');
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compounds_stay_together() {
        let command = |id| command_of(id).join(" ");
        assert_eq!(command("vpc_router_route_create"), "vpc router route create");
        assert_eq!(command("anti_affinity_group_member_list"), "anti-affinity-group member list");
        assert_eq!(command("current_user_ssh_key_view"), "current-user ssh-key view");
        assert_eq!(command("instance_serial_console_stream"), "instance serial console");
    }
}
