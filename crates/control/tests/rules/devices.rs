//! Device authorization.

use croft_api::{
    Error, Result,
    device::{
        DeviceAccessTokenGrant, DeviceAccessTokenRequest, DeviceAuthRequest, DeviceAuthResponse,
        DeviceRefusal,
    },
};
use croft_control::{Credentials, auth_settings, device, me, operation, token, user};
use croft_store::{
    ListBy, Sort,
    records::{AccessToken, DeviceRequest},
};
use jiff::SignedDuration;
use serde_json::json;
use uuid::Uuid;

use crate::kit::{Cloud, User, refusal, refused};

const CLIENT: Uuid = Uuid::from_u128(0x5e9b_5f2c);

fn start(cloud: &mut Cloud, ttl_seconds: Option<u32>) -> DeviceAuthResponse {
    let params =
        DeviceAuthRequest { client_id: CLIENT, ttl_seconds: ttl_seconds.map(|ttl| ttl.try_into().unwrap()) };
    cloud.rule(move |cx| device::request(cx, &params, "http://croft/device/verify")).unwrap()
}

fn poll_as(
    cloud: &mut Cloud,
    client_id: Uuid,
    device_code: &str,
) -> Result<DeviceAccessTokenGrant, DeviceRefusal> {
    let params = DeviceAccessTokenRequest {
        grant_type: "urn:ietf:params:oauth:grant-type:device_code".to_owned(),
        device_code: device_code.to_owned(),
        client_id,
    };
    cloud.rule(move |cx| device::access_token(cx, &params)).unwrap()
}

fn poll(cloud: &mut Cloud, codes: &DeviceAuthResponse) -> Result<DeviceAccessTokenGrant, DeviceRefusal> {
    poll_as(cloud, CLIENT, &codes.device_code)
}

fn refused_poll(cloud: &mut Cloud, codes: &DeviceAuthResponse) -> DeviceRefusal {
    poll(cloud, codes).err().expect("no token")
}

fn confirm(cloud: &mut Cloud, user: &User, user_code: &str) -> Result<()> {
    let user_code = user_code.to_owned();
    let browser = cloud.browser(user);
    cloud.act(&browser, &operation::DEVICE_AUTH_CONFIRM, move |cx, caller| {
        device::confirm(cx, caller, &user_code)
    })
}

fn with_token(grant: &DeviceAccessTokenGrant, user: &User) -> User {
    let authorization = Some(format!("Bearer {}", grant.access_token));
    User { credentials: Credentials { session_cookie: None, authorization }, ..user.clone() }
}

fn set_max_ttl(cloud: &mut Cloud, seconds: Option<u32>) {
    let admin = cloud.admin.clone();
    cloud
        .act(&admin, &operation::AUTH_SETTINGS_UPDATE, move |cx, caller| {
            let params = serde_json::from_value(json!({ "device_token_max_ttl_seconds": seconds })).unwrap();
            auth_settings::update(cx, caller, &params)
        })
        .unwrap();
}

fn requests(cloud: &Cloud) -> Vec<DeviceRequest> {
    cloud.db.read_blocking(|tx| Ok::<_, Error>(tx.page(ListBy::All, Sort::TimeAsc, None, 100)?)).unwrap()
}

#[test]
fn a_device_gets_a_token_of_the_confirming_user() {
    let mut cloud = Cloud::new();
    let user = cloud.user(cloud.admin.silo, "ada");
    let codes = start(&mut cloud, None);
    assert_eq!((codes.expires_in, codes.verification_uri.as_str()), (300, "http://croft/device/verify"));
    assert_eq!(codes.device_code.len(), 40);
    let (before, after) = codes.user_code.split_once('-').unwrap();
    assert_eq!((before.len(), after.len()), (3, 5));
    assert!(codes.user_code.bytes().all(|letter| b"BCDFGHJKLMNPQRSTVWXZ-".contains(&letter)));

    assert_eq!(refused_poll(&mut cloud, &codes), DeviceRefusal::AuthorizationPending);
    confirm(&mut cloud, &user, &codes.user_code).unwrap();
    let grant = poll(&mut cloud, &codes).expect("the token");
    assert!(grant.access_token.starts_with("croft-token-") && grant.access_token.len() == 52);
    assert_eq!(grant.time_expires, Some(cloud.now + device::DEFAULT_TOKEN_LIFE));
    let again = poll(&mut cloud, &codes).expect("the token again");
    assert_eq!((&again.access_token, again.token_id), (&grant.access_token, grant.token_id));

    let me = cloud.see(&with_token(&grant, &user), me::view).unwrap();
    assert_eq!((me.id, me.display_name.as_str()), (user.id, "ada"));
}

#[test]
fn user_codes_ignore_case_and_dashes() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    let shapes: [fn(&str) -> String; 4] = [
        str::to_lowercase,
        |code| code.replace('-', ""),
        |code| format!(" {} {} ", &code[..3], &code[4..]),
        |code| {
            let letters = code.replace('-', "");
            format!("{}-{}", &letters[..4], &letters[4..])
        },
    ];
    for shape in shapes {
        let codes = start(&mut cloud, None);
        confirm(&mut cloud, &admin, &shape(&codes.user_code)).unwrap();
        assert!(poll(&mut cloud, &codes).is_ok());
    }
}

#[test]
fn unknown_and_used_codes_are_not_found() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    let codes = start(&mut cloud, None);
    confirm(&mut cloud, &admin, &codes.user_code).unwrap();
    let not_found = |code: &str| (404, format!("not found: device-auth-request with id \"{code}\""));
    assert_eq!(refused(confirm(&mut cloud, &admin, &codes.user_code)), not_found(&codes.user_code));
    for code in ["", "nonsense", "BCD-FGHJ", "1234-5678"] {
        assert_eq!(refused(confirm(&mut cloud, &admin, code)), not_found(code));
    }
    let (_, message) = refused(confirm(&mut cloud, &admin, &"x".repeat(100_000)));
    assert!(message.len() < 100, "the message does not repeat the whole input");
    assert!(poll(&mut cloud, &codes).is_ok(), "the device keeps its token");
}

#[test]
fn a_request_that_is_confirmed_too_late_is_used_up() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    let (in_time, late, forgotten) =
        (start(&mut cloud, None), start(&mut cloud, None), start(&mut cloud, None));
    cloud.now += SignedDuration::from_secs(300);
    assert_eq!(
        refused_poll(&mut cloud, &late),
        DeviceRefusal::AuthorizationPending,
        "valid up to and including the limit"
    );
    confirm(&mut cloud, &admin, &in_time.user_code).unwrap();
    cloud.now += SignedDuration::from_micros(1);
    assert_eq!(refused_poll(&mut cloud, &late), DeviceRefusal::ExpiredToken);
    let expired = (400, "device authorization request expired".to_owned());
    assert_eq!(refused(confirm(&mut cloud, &admin, &late.user_code)), expired);
    assert_eq!(refused(confirm(&mut cloud, &admin, &late.user_code)).0, 404);
    for codes in [&late, &forgotten] {
        assert_eq!(refused_poll(&mut cloud, codes), DeviceRefusal::ExpiredToken);
    }
    assert!(poll(&mut cloud, &in_time).is_ok());
    let tokens = cloud.db.read_blocking(|tx| Ok::<_, Error>(tx.count::<AccessToken>(ListBy::All)?)).unwrap();
    assert_eq!(tokens, 2, "the administrator's token and one more");
}

#[test]
fn only_the_client_with_the_code_gets_the_token() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    let codes = start(&mut cloud, None);
    confirm(&mut cloud, &admin, &codes.user_code).unwrap();
    let pending = Some(DeviceRefusal::AuthorizationPending);
    assert_eq!(poll_as(&mut cloud, Uuid::nil(), &codes.device_code).err(), pending);
    let zeros = "0".repeat(40);
    for code in ["", codes.user_code.as_str(), zeros.as_str(), "not a code"] {
        assert_eq!(poll_as(&mut cloud, CLIENT, code).err(), pending);
    }
    let params = DeviceAccessTokenRequest {
        grant_type: "password".to_owned(),
        device_code: codes.device_code.clone(),
        client_id: CLIENT,
    };
    let refusal = cloud.rule(move |cx| device::access_token(cx, &params)).unwrap().err();
    assert_eq!(refusal, Some(DeviceRefusal::UnsupportedGrantType));
}

#[test]
fn device_token_can_be_fetched_for_a_limited_time() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    let (kept, deleted) = (start(&mut cloud, None), start(&mut cloud, None));
    confirm(&mut cloud, &admin, &kept.user_code).unwrap();
    confirm(&mut cloud, &admin, &deleted.user_code).unwrap();
    let grant = poll(&mut cloud, &deleted).expect("the token");
    let id = grant.token_id;
    cloud
        .act(&admin, &operation::CURRENT_USER_ACCESS_TOKEN_DELETE, move |cx, caller| {
            token::delete(cx, caller, id)
        })
        .unwrap();
    assert_eq!(refused_poll(&mut cloud, &deleted), DeviceRefusal::AccessDenied);
    assert_eq!(refused(cloud.see(&with_token(&grant, &admin), me::view)).0, 401);
    let grant = poll(&mut cloud, &kept).expect("the token");
    cloud.now += SignedDuration::from_secs(301);
    assert_eq!(refused_poll(&mut cloud, &kept), DeviceRefusal::AccessDenied);
    assert!(cloud.see(&with_token(&grant, &admin), me::view).is_ok(), "the token itself stays valid");
}

#[test]
fn tokens_and_device_codes_are_not_stored() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    let codes = start(&mut cloud, None);
    confirm(&mut cloud, &admin, &codes.user_code).unwrap();
    let grant = poll(&mut cloud, &codes).expect("the token");
    let secret = grant.access_token.strip_prefix("croft-token-").unwrap();
    let tokens = cloud
        .db
        .read_blocking(|tx| Ok::<_, Error>(tx.page::<AccessToken>(ListBy::All, Sort::IdAsc, None, 100)?));
    let stored = format!("{} {}", json!(requests(&cloud)), json!(tokens.unwrap()));
    assert!(!stored.contains(secret) && !stored.contains(&codes.device_code));
    // The stored salt and hash of the code are not sufficient to derive the token.
    assert!(!stored.contains(&hex_of(secret)), "{stored}");
}

fn hex_of(secret: &str) -> String {
    (0..secret.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&secret[at..at + 2], 16).unwrap())
        .fold(String::new(), |text, byte| format!("{text}{}{byte}", if text.is_empty() { "" } else { "," }))
}

#[test]
fn the_silo_limits_how_long_tokens_live() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    set_max_ttl(&mut cloud, Some(3600));
    let (long, short, silent) =
        (start(&mut cloud, Some(3601)), start(&mut cloud, Some(60)), start(&mut cloud, None));
    assert_eq!(
        refused(confirm(&mut cloud, &admin, &long.user_code)),
        (
            400,
            "Requested TTL 3601 seconds exceeds maximum allowed TTL for this silo of 3600 seconds".to_owned()
        )
    );
    assert_eq!(refused_poll(&mut cloud, &long), DeviceRefusal::AccessDenied, "the client can stop polling");
    assert_eq!(refused(confirm(&mut cloud, &admin, &long.user_code)).0, 404, "the code is used up");
    let expiry = |cloud: &mut Cloud, codes: &DeviceAuthResponse| {
        confirm(cloud, &admin, &codes.user_code).unwrap();
        poll(cloud, codes).expect("the token").time_expires
    };
    let after = |cloud: &Cloud, seconds| Some(cloud.now + SignedDuration::from_secs(seconds));
    assert_eq!(expiry(&mut cloud, &short), after(&cloud, 60));
    assert_eq!(expiry(&mut cloud, &silent), after(&cloud, 3600));
    // A new request is subject to the new limit, and existing tokens keep their expiry.
    set_max_ttl(&mut cloud, None);
    let again = start(&mut cloud, Some(3601));
    assert_eq!(expiry(&mut cloud, &again), after(&cloud, 3601));
    let silent = start(&mut cloud, None);
    assert_eq!(expiry(&mut cloud, &silent), after(&cloud, 30 * 24 * 3600), "tokens expire by default");
    let lasting = start(&mut cloud, Some(10 * 365 * 24 * 3600));
    assert_eq!(
        expiry(&mut cloud, &lasting),
        after(&cloud, 10 * 365 * 24 * 3600),
        "a longer lifetime can be requested"
    );
}

#[test]
fn a_token_of_a_deleted_user_is_denied() {
    let mut cloud = Cloud::new();
    let (admin, silo) = (cloud.admin.clone(), cloud.admin.silo);
    let user = cloud.user(silo, "ada");
    let browser = cloud.browser(&user);
    let codes = start(&mut cloud, None);
    confirm(&mut cloud, &user, &codes.user_code).unwrap();
    let id = user.id;
    cloud
        .act(&admin, &operation::LOCAL_IDP_USER_DELETE, move |cx, caller| {
            user::local_delete(cx, caller, &silo.into(), id)
        })
        .unwrap();
    assert_eq!(refused_poll(&mut cloud, &codes), DeviceRefusal::AccessDenied);
    let again = start(&mut cloud, None);
    let refused = cloud.act(&browser, &operation::DEVICE_AUTH_CONFIRM, move |cx, caller| {
        device::confirm(cx, caller, &again.user_code)
    });
    assert_eq!(refusal(refused), "credentials missing or invalid");
}

#[test]
fn token_cannot_create_tokens() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    let codes = start(&mut cloud, None);
    let code = codes.user_code.clone();
    let refused = cloud
        .act(&admin, &operation::DEVICE_AUTH_CONFIRM, move |cx, caller| device::confirm(cx, caller, &code));
    assert_eq!(refusal(refused), "A token cannot do this. Sign in to the console to do it.");
    confirm(&mut cloud, &admin, &codes.user_code).expect("the request is still pending");
}

#[test]
fn old_requests_and_expired_tokens_are_removed() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    let short = start(&mut cloud, Some(60));
    start(&mut cloud, None);
    confirm(&mut cloud, &admin, &short.user_code).unwrap();
    cloud.pass(SignedDuration::from_hours(3));
    assert!(requests(&cloud).is_empty());
    let tokens = cloud.db.read_blocking(|tx| Ok::<_, Error>(tx.count::<AccessToken>(ListBy::All)?)).unwrap();
    assert_eq!(tokens, 1, "only the administrator's token");
    assert_eq!(
        refused_poll(&mut cloud, &short),
        DeviceRefusal::AuthorizationPending,
        "the same response as for an unknown code"
    );
}
