//! Users, groups, keys, tokens, providers, certificates, images.

use croft_api::{
    identity_provider::SamlIdentityProviderUpdate,
    list::{ListSelector, ListSortMode},
    page::{IdSortMode, NameOrIdSortMode, NoSelector, PageQuery, SortMode},
    project::{OptionalProjectSelector, ProjectSelector},
    scalar::NameOrId,
    silo::SiloSelector,
    user::OptionalGroupSelector,
};
use croft_control::{
    auth_settings, certificate, group, identity_provider, image, instance, operation, permissions, saml,
    second_factor::{self, StoredPasskey},
    session, ssh_key, token, user, view_as,
};
use serde_json::json;

use super::{Call, World, matrix, parse, rule};
use crate::kit::by_name;

fn page<Selector, Mode: SortMode>(selector: Selector) -> PageQuery<Selector, Mode> {
    PageQuery { selector, sort: Mode::default(), after: None, limit: 100 }
}

fn all<Mode: SortMode>() -> PageQuery<NoSelector, Mode> {
    page(NoSelector {})
}

/// The silo of all callers except the stranger.
fn own() -> NameOrId {
    by_name("croft")
}

pub fn calls(world: &World) -> Vec<Call> {
    [
        keys_and_tokens(world),
        second_factors(world),
        users(world),
        local_users(world),
        providers(world),
        certificates(world),
        images(world),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn keys_and_tokens(world: &World) -> Vec<Call> {
    let (token, instance) = (world.fixtures.token, NameOrId::Id(world.instance));
    let key = world.fixtures.key;
    let new = json!({ "name": "new", "description": "", "public_key": "ssh-ed25519 AAAA" });
    let by_names = || page::<_, NameOrIdSortMode>(OptionalProjectSelector { project: None });
    vec![
        (
            &operation::CURRENT_USER_ACCESS_TOKEN_LIST,
            rule(|cx, caller| token::list(cx, caller, &all::<IdSortMode>())),
        ),
        (
            &operation::CURRENT_USER_ACCESS_TOKEN_DELETE,
            rule(move |cx, caller| token::delete(cx, caller, token)),
        ),
        (&operation::ACCOUNT_TOKEN_LIST, rule(|cx, caller| token::own_list(cx, caller, &all()))),
        (
            &operation::ACCOUNT_TOKEN_UPDATE,
            rule(move |cx, caller| token::rename(cx, caller, token, &parse(json!({ "name": "laptop" })))),
        ),
        (&operation::ACCOUNT_SESSION_LIST, rule(|cx, caller| session::own_list(cx, caller, &all()))),
        (
            &operation::ACCOUNT_SESSION_DELETE,
            // The session does not exist, so even permitted callers are refused.
            rule(|cx, caller| session::end(cx, caller, uuid::Uuid::nil())),
        ),
        (&operation::ACCOUNT_SESSIONS_END_OTHERS, rule(session::end_others)),
        (
            &operation::CURRENT_USER_SSH_KEY_LIST,
            rule(|cx, caller| ssh_key::list(cx, caller, &all::<NameOrIdSortMode>())),
        ),
        (
            &operation::CURRENT_USER_SSH_KEY_CREATE,
            rule(move |cx, caller| ssh_key::create(cx, caller, &parse(new.clone()))),
        ),
        (
            &operation::CURRENT_USER_SSH_KEY_VIEW,
            rule(move |cx, caller| ssh_key::view(cx, caller, &NameOrId::Id(key))),
        ),
        (
            &operation::CURRENT_USER_SSH_KEY_DELETE,
            rule(move |cx, caller| ssh_key::delete(cx, caller, &NameOrId::Id(key))),
        ),
        (
            &operation::INSTANCE_SSH_PUBLIC_KEY_LIST,
            rule(move |cx, caller| instance::ssh_public_key_list(cx, caller, &instance, &by_names())),
        ),
        (&operation::AUTH_SETTINGS_VIEW, rule(auth_settings::view)),
        (
            &operation::AUTH_SETTINGS_UPDATE,
            rule(|cx, caller| {
                auth_settings::update(cx, caller, &parse(json!({ "device_token_max_ttl_seconds": 60 })))
            }),
        ),
    ]
}

/// Changes require a session, which no caller has.
fn second_factors(world: &World) -> Vec<Call> {
    let user = world.fixtures.user;
    let totp = json!({ "name": "phone", "set_up": "", "code": "000000" });
    let new_passkey =
        || StoredPasskey { credential_id: vec![1], rp_id: String::new(), credential: String::new() };
    vec![
        (&operation::ACCOUNT_SECOND_FACTOR_LIST, rule(|cx, caller| second_factor::list(cx, caller, &all()))),
        (&operation::ACCOUNT_TOTP_BEGIN, rule(second_factor::totp_begin)),
        (
            &operation::ACCOUNT_TOTP_CREATE,
            rule(move |cx, caller| second_factor::totp_create(cx, caller, &parse(totp.clone()))),
        ),
        (&operation::ACCOUNT_PASSKEY_BEGIN, rule(second_factor::passkey_owner)),
        (
            &operation::ACCOUNT_PASSKEY_CREATE,
            rule(move |cx, caller| {
                let name = "key".parse().unwrap();
                second_factor::passkey_create(cx, caller, &name, "", &new_passkey())
            }),
        ),
        (
            &operation::ACCOUNT_SECOND_FACTOR_UPDATE,
            rule(move |cx, caller| {
                second_factor::rename(cx, caller, user, &parse(json!({ "name": "phone" })))
            }),
        ),
        (
            &operation::ACCOUNT_SECOND_FACTOR_DELETE,
            rule(move |cx, caller| second_factor::delete(cx, caller, user)),
        ),
        (&operation::ACCOUNT_RECOVERY_CODES_VIEW, rule(second_factor::recovery_codes_view)),
        (&operation::ACCOUNT_RECOVERY_CODES_CREATE, rule(second_factor::recovery_codes_create)),
        (
            &operation::LOCAL_IDP_USER_RESET_SECOND_FACTOR,
            rule(move |cx, caller| second_factor::reset(cx, caller, &own(), user)),
        ),
        (&operation::SIGN_IN_SETTINGS_VIEW, rule(auth_settings::sign_in_view)),
        (
            &operation::SIGN_IN_SETTINGS_UPDATE,
            rule(|cx, caller| {
                auth_settings::sign_in_update(cx, caller, &parse(json!({ "require_second_factor": true })))
            }),
        ),
    ]
}

fn users(world: &World) -> Vec<Call> {
    let (user, group) = (world.fixtures.user, world.fixtures.group);
    let of_silo = || page::<_, IdSortMode>(SiloSelector { silo: own() });
    let everybody = || page::<_, IdSortMode>(OptionalGroupSelector { group: None });
    vec![
        (&operation::USER_LIST, rule(move |cx, caller| user::list(cx, caller, &everybody()))),
        (&operation::USER_VIEW, rule(move |cx, caller| user::view(cx, caller, user))),
        (&operation::USER_TOKEN_LIST, rule(move |cx, caller| user::token_list(cx, caller, user, &all()))),
        (&operation::USER_SESSION_LIST, rule(move |cx, caller| user::session_list(cx, caller, user, &all()))),
        (&operation::USER_LOGOUT, rule(move |cx, caller| user::logout(cx, caller, user))),
        // Requires a session, which no caller has.
        (
            &operation::VIEW_AS_BEGIN,
            rule(move |cx, caller| view_as::begin(cx, caller, user, permissions::possible_in_view)),
        ),
        (&operation::GROUP_LIST, rule(|cx, caller| group::list(cx, caller, &all()))),
        (&operation::GROUP_VIEW, rule(move |cx, caller| group::view(cx, caller, group))),
        (&operation::SILO_USER_LIST, rule(move |cx, caller| user::silo_list(cx, caller, &of_silo()))),
        (&operation::SILO_USER_VIEW, rule(move |cx, caller| user::silo_view(cx, caller, &own(), user))),
    ]
}

fn local_users(world: &World) -> Vec<Call> {
    let user = world.fixtures.user;
    vec![
        (
            &operation::LOCAL_IDP_USER_CREATE,
            rule(|cx, caller| {
                let name = "new".parse().unwrap();
                user::local_create(cx, caller, &own(), &name, &user::NewPassword::Disallowed)
            }),
        ),
        (
            &operation::LOCAL_IDP_USER_DELETE,
            rule(move |cx, caller| user::local_delete(cx, caller, &own(), user)),
        ),
        (
            &operation::LOCAL_IDP_USER_REQUIRE_PASSWORD_CHANGE,
            rule(move |cx, caller| user::require_password_change(cx, caller, &own(), user)),
        ),
        (
            &operation::LOCAL_IDP_USER_SET_PASSWORD,
            rule(move |cx, caller| {
                let none = user::NewPassword::Disallowed;
                user::set_password(cx, caller, &own(), user, &none)
            }),
        ),
    ]
}

fn providers(world: &World) -> Vec<Call> {
    let provider = NameOrId::Id(world.fixtures.provider);
    let [of_fixtures, changed, deleted] = [provider.clone(), provider.clone(), provider.clone()];
    let of_silo = || page::<_, NameOrIdSortMode>(SiloSelector { silo: own() });
    vec![
        (
            &operation::SILO_IDENTITY_PROVIDER_LIST,
            rule(move |cx, caller| identity_provider::list(cx, caller, &of_silo())),
        ),
        (&operation::SAML_IDENTITY_PROVIDER_CREATE, rule(|cx, caller| saml::may_create(cx, caller, &own()))),
        (
            &operation::SAML_IDENTITY_PROVIDER_VIEW,
            rule(move |cx, caller| saml::view(cx, caller, &provider, None)),
        ),
        (
            &operation::SAML_IDENTITY_PROVIDER_SETTINGS_VIEW,
            rule(move |cx, caller| saml::settings(cx, caller, &of_fixtures, None)),
        ),
        (
            &operation::SAML_IDENTITY_PROVIDER_UPDATE,
            rule(move |cx, caller| {
                let params = SamlIdentityProviderUpdate { enabled: Some(false), ..Default::default() };
                saml::update(cx, caller, &changed, None, &params, &Ok(None))
            }),
        ),
        (
            &operation::SAML_IDENTITY_PROVIDER_DELETE,
            rule(move |cx, caller| saml::delete(cx, caller, &deleted, None)),
        ),
    ]
}

fn certificates(world: &World) -> Vec<Call> {
    let certificate = world.fixtures.certificate;
    let new = json!({ "name": "new", "description": "", "service": "external_api", "cert": "", "key": "" });
    vec![
        (&operation::CERTIFICATE_LIST, rule(|cx, caller| certificate::list(cx, caller, &all()))),
        (
            &operation::CERTIFICATE_CREATE,
            rule(move |cx, caller| certificate::create(cx, caller, &parse(new.clone()))),
        ),
        (
            &operation::CERTIFICATE_VIEW,
            rule(move |cx, caller| certificate::view(cx, caller, &NameOrId::Id(certificate))),
        ),
        (
            &operation::CERTIFICATE_DELETE,
            rule(move |cx, caller| certificate::delete(cx, caller, &NameOrId::Id(certificate))),
        ),
    ]
}

fn images(world: &World) -> Vec<Call> {
    let (project_image, silo_image) =
        (NameOrId::Id(world.fixtures.project_image), NameOrId::Id(world.fixtures.silo_image));
    let of_silo = || page::<_, NameOrIdSortMode>(OptionalProjectSelector { project: None });
    let (viewed, deleted) = (project_image.clone(), project_image.clone());
    vec![
        (&operation::IMAGE_LIST, rule(move |cx, caller| image::list(cx, caller, &of_silo()))),
        (&operation::IMAGE_SEARCH, {
            let selector = ListSelector {
                of: OptionalProjectSelector { project: None },
                q: None,
                state: None,
                label: None,
                total: true,
            };
            let query = page::<_, ListSortMode>(selector);
            rule(move |cx, caller| image::search(cx, caller, &query))
        }),
        (
            &operation::PROJECT_SILO_IMAGE_LIST,
            rule(move |cx, caller| {
                let query = page::<_, NameOrIdSortMode>(ProjectSelector { project: by_name("web") });
                image::list_for_project(cx, caller, &query)
            }),
        ),
        (&operation::IMAGE_VIEW, rule(move |cx, caller| image::view(cx, caller, &viewed, None))),
        (&operation::IMAGE_DELETE, rule(move |cx, caller| image::delete(cx, caller, &deleted, None))),
        (&operation::IMAGE_PROMOTE, rule(move |cx, caller| image::promote(cx, caller, &project_image, None))),
        (
            &operation::IMAGE_DEMOTE,
            rule(move |cx, caller| image::demote(cx, caller, &silo_image, &by_name("web"))),
        ),
    ]
}

#[test]
fn every_operation_with_every_role() {
    insta::assert_snapshot!(matrix(calls));
}
