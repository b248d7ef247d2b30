use croft_control::endpoint::{self, SignIn};
use croft_store::records::{IdentityMode, Resources, Silo};
use uuid::Uuid;

use crate::{
    kit::{Cloud, refused},
    kit_people::identity_provider,
};

fn of_any(cloud: &mut Cloud, host: &'static str) -> croft_api::Result<String> {
    cloud.rule(move |cx| endpoint::of_any_host(cx, host).map(|sign_in| sign_in.to_string()))
}

fn saml(cloud: &mut Cloud, silo: Uuid) {
    cloud
        .rule(move |cx| {
            let mut silo: Silo = cx.tx.get(silo)?.unwrap();
            silo.identity_mode = IdentityMode::SamlJit;
            Ok(cx.tx.update(&mut silo)?)
        })
        .unwrap();
}

fn provider(cloud: &mut Cloud, silo_id: Uuid, name: &'static str) {
    cloud
        .rule(move |cx| {
            let provider = identity_provider(cx.new_meta(), silo_id, name);
            Ok(cx.tx.insert(&provider)?)
        })
        .unwrap();
}

#[test]
fn the_host_names_the_silo_to_sign_in_to() {
    let mut cloud = Cloud::new();
    let acme = cloud.silo("acme", Resources::default());
    for host in ["acme.sys.croft.internal", "ACME.SYS.croft.internal:8443"] {
        assert_eq!(of_any(&mut cloud, host).unwrap(), "/login/acme/local");
        let named = cloud.rule(move |cx| endpoint::of_host(cx, host)).unwrap();
        assert_eq!(named, Some(SignIn::Local { silo: "acme".parse().unwrap() }));
        let offered = cloud.rule(move |cx| endpoint::offered_silo(cx, Some(host))).unwrap();
        assert_eq!(offered.unwrap().as_str(), "acme");
    }
    saml(&mut cloud, acme);
    let none = refused(of_any(&mut cloud, "acme.sys.croft.internal"));
    assert_eq!(none, (400, "no identity providers are configured for Silo".to_owned()));
    provider(&mut cloud, acme, "okta");
    provider(&mut cloud, acme, "keycloak");
    assert_eq!(of_any(&mut cloud, "acme.sys.croft.internal").unwrap(), "/login/acme/saml/keycloak");
}

#[test]
fn unknown_hosts_fall_back_to_the_first_silo_with_passwords() {
    let mut cloud = Cloud::new();
    let first = cloud.admin.silo;
    let unknown = ["127.0.0.1:80", "nowhere.sys.croft.internal", "default-silo.sys.croft.internal", "x"];
    for host in unknown {
        assert_eq!(of_any(&mut cloud, host).unwrap(), "/login/croft/local", "{host}");
        assert_eq!(cloud.rule(move |cx| endpoint::of_host(cx, host)).unwrap(), None, "{host}");
    }
    saml(&mut cloud, first);
    let refusal = refused(of_any(&mut cloud, "127.0.0.1:80"));
    assert_eq!(refusal, (400, "HTTP request for unknown server name \"127.0.0.1:80\"".to_owned()));
    assert_eq!(cloud.rule(|cx| endpoint::offered_silo(cx, None)).unwrap(), None);
    let mut ids = Vec::new();
    for name in ["zoo", "acme"] {
        ids.push((cloud.silo(name, Resources::default()), name));
    }
    let (_, lowest) = ids.into_iter().min().unwrap();
    assert_eq!(of_any(&mut cloud, "x").unwrap(), format!("/login/{lowest}/local"));
}
