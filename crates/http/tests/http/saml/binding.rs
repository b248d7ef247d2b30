//! A SAML response is accepted only in the browser that made the request.

use croft_http::Settings;

use super::{
    ACS, MINUTE, PATH, TestKey, add_provider, answer, change, corp, form, post_to, provider, request_id,
    session, strict_corp,
};
use crate::cloud::{Answer, Client, Cloud};

const OTHER_BROWSER: &str = "SAMLResponse answers a request that this browser did not make at this address: allow \
                       cookies, open the sign-in page at the address that the provider responds to, and \
                       sign in again";
const UNSOLICITED: &str = "SAMLResponse has no signed InResponseTo: start at the sign-in page of this server; \
                       unsolicited responses are accepted only if an administrator allows them for the \
                       provider";

/// Settings of a server with TLS.
fn encrypted() -> Settings {
    Settings { secure_cookies: true, ..Settings::default() }
}

/// A browser with a cookie store.
struct Browser<'a> {
    cloud: &'a Cloud,
    cookies: Vec<(String, String)>,
}

impl<'a> Browser<'a> {
    fn new(cloud: &'a Cloud) -> Self {
        Self { cloud, cookies: Vec::new() }
    }

    fn client(&self) -> Client<'a> {
        let pairs: Vec<_> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let client = self.cloud.anonymous();
        if pairs.is_empty() { client } else { client.with("cookie", &pairs.join("; ")) }
    }

    /// Stores and deletes cookies as the response says.
    fn keep(&mut self, answer: &Answer) {
        for text in answer.headers.get_all("set-cookie") {
            let text = text.to_str().unwrap();
            let (name, value) = text.split(';').next().unwrap().split_once('=').unwrap();
            self.cookies.retain(|(known, _)| known != name);
            if !text.contains("Max-Age=0") {
                self.cookies.push((name.to_owned(), value.to_owned()));
            }
        }
    }

    /// Starts a sign-in. Returns the ID of the request to the provider.
    async fn begin(&mut self, name: &str) -> String {
        let answer = self.client().get(&format!("/login/corp/saml/{name}/redirect")).await;
        assert_eq!(answer.status, 302, "{answer:?}");
        self.keep(&answer);
        request_id(answer.header("location"))
    }

    /// Posts a response, as the provider's page does.
    async fn post_response(&mut self, field: &str) -> Answer {
        let client = self.client().with("sec-fetch-site", "cross-site").with("origin", "https://idp.example");
        let answer = post_to(&client, PATH, form(field, None)).await;
        self.keep(&answer);
        answer
    }

    fn open_requests(&self) -> usize {
        self.cookies.iter().filter(|(name, _)| name.contains("saml-")).count()
    }
}

/// A valid response to this request.
fn to(cloud: &Cloud, request: &str, id: &str) -> String {
    let mut good = answer(cloud, id);
    good.in_response_to = Some(request.to_owned());
    good.field(TestKey::Rsa)
}

fn assert_signed_in(answer: &Answer) {
    assert_eq!((answer.status, answer.header("location")), (303, "/"), "{answer:?}");
}

#[tokio::test]
async fn request_cookie_is_sent_with_cross_site_posts() {
    let cloud = strict_corp(encrypted()).await;
    let mut ada = Browser::new(&cloud);
    let answer = ada.client().get(&format!("{PATH}/redirect")).await;
    let cookie = answer.header("set-cookie");
    let (name, rest) = cookie.split_once('=').unwrap();
    assert!(name.starts_with("__Host-saml-"), "{cookie}");
    let (value, about) = rest.split_once(';').unwrap();
    assert_eq!((value.len(), about), (40, " Path=/; HttpOnly; SameSite=None; Secure; Max-Age=1800"));
    ada.keep(&answer);
    let request = request_id(answer.header("location"));
    assert!(!request.contains(value) && !answer.header("location").contains(value));

    let done = ada.post_response(&to(&cloud, &request, "a")).await;
    assert_signed_in(&done);
    assert_eq!(ada.open_requests(), 0, "the request's cookie is deleted");
    let me = ada.client().get("/v1/me").await;
    assert_eq!(me.json()["display_name"], "ada");
}

#[tokio::test]
async fn stolen_answer_is_refused_in_another_browser() {
    for cloud in [strict_corp(encrypted()).await, strict_corp(Settings::default()).await] {
        let (mut ada, mut thief) = (Browser::new(&cloud), Browser::new(&cloud));
        let request = ada.begin("okta").await;
        let stolen = to(&cloud, &request, "a");
        // Refused without a cookie, and with the cookie of another request.
        for _ in 0..2 {
            let client = thief.client();
            post_to(&client, PATH, form(&stolen, None)).await.assert_unreadable(OTHER_BROWSER);
            thief.begin("okta").await;
        }
        // Nor can an attacker sign another browser in as a user of the attacker's choice.
        let own = thief.begin("okta").await;
        let forced = post_to(&ada.client(), PATH, form(&to(&cloud, &own, "b"), None)).await;
        forced.assert_unreadable(OTHER_BROWSER);
        // The refused attempts have not consumed the response.
        assert_signed_in(&post_to(&ada.client(), PATH, form(&stolen, None)).await);
    }
}

#[tokio::test]
async fn request_cookies_are_bounded_across_tabs() {
    let cloud = strict_corp(encrypted()).await;
    let mut ada = Browser::new(&cloud);
    let mut requests = Vec::new();
    for _ in 0..10 {
        requests.push(ada.begin("okta").await);
        cloud.clock.advance(MINUTE);
    }
    assert_eq!(ada.open_requests(), 8);
    for (index, request) in requests.iter().enumerate().rev() {
        let done = ada.post_response(&to(&cloud, request, &format!("a{index}"))).await;
        if index < 2 {
            done.assert_unreadable(OTHER_BROWSER);
        } else {
            assert_signed_in(&done);
        }
    }
    assert_eq!(ada.open_requests(), 0);
}

#[tokio::test]
async fn answer_without_tls_is_reposted_by_a_page_of_this_server() {
    let cloud = strict_corp(Settings::default()).await;
    let mut ada = Browser::new(&cloud);
    let request = ada.begin("okta").await;
    let (name, _) = &ada.cookies[0];
    assert!(name.starts_with("saml-"), "{name}");
    let field = to(&cloud, &request, "a");
    // Without TLS, browsers do not send the cookie with a cross-site post.
    let nobody = Browser::new(&cloud).client();
    let foreign = nobody.with("sec-fetch-site", "cross-site").with("origin", "https://idp.example");
    let page = post_to(&foreign, PATH, form(&field, Some("\"><script>"))).await;
    assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"), "{page:?}");
    assert_eq!((page.header("cache-control"), page.header("set-cookie")), ("no-store", ""));
    let policy = page.header("content-security-policy");
    assert!(policy.starts_with("default-src 'none'; script-src 'sha256-"), "{policy}");
    assert!(policy.contains("form-action 'self'") && policy.contains("frame-ancestors 'none'"), "{policy}");
    // The page's own post must send its origin.
    assert_eq!(page.header("referrer-policy"), "same-origin");
    let text = page.text();
    assert!(text.contains(&format!("name=\"SAMLResponse\" value=\"{field}\"")), "{text}");
    assert!(text.contains("name=\"RelayState\" value=\"&quot;&gt;&lt;script&gt;\""), "{text}");
    assert!(text.contains("name=\"croft_relayed\" value=\"1\""), "{text}");

    let again = format!("{}&croft_relayed=1", form(&field, None));
    // A response is reposted only once, even if the second post is cross-site again.
    post_to(&foreign, PATH, again.clone()).await.assert_unreadable(OTHER_BROWSER);
    let own = ada.client().with("sec-fetch-site", "same-origin");
    assert_signed_in(&post_to(&own, PATH, again).await);
}

#[tokio::test]
async fn invalid_answer_is_refused_before_it_is_reposted() {
    let cloud = strict_corp(Settings::default()).await;
    let request = Browser::new(&cloud).begin("okta").await;
    let mut forged = answer(&cloud, "a");
    forged.in_response_to = Some(request);
    let mut other = Browser::new(&cloud);
    let refused = other.post_response(&forged.field(TestKey::OtherRsa)).await;
    refused.assert_unreadable_start("could not extract SAMLResponse assertion! ");
}

#[tokio::test]
async fn unsolicited_answers_require_the_provider_setting() {
    let cloud = strict_corp(encrypted()).await;
    let admin = cloud.with_token();
    let mut ada = Browser::new(&cloud);
    let unsolicited = answer(&cloud, "a").field(TestKey::Rsa);
    ada.post_response(&unsolicited).await.assert_unreadable(UNSOLICITED);
    // An unsigned InResponseTo can be added by anyone.
    let request = ada.begin("okta").await;
    let bytes = base64::Engine::decode(&base64::prelude::BASE64_STANDARD, &unsolicited).unwrap();
    let added = String::from_utf8(bytes).unwrap().replacen(
        "<samlp:Response ",
        &format!("<samlp:Response InResponseTo=\"{request}\" "),
        1,
    );
    let added = base64::Engine::encode(&base64::prelude::BASE64_STANDARD, added);
    assert_ne!(added, unsolicited);
    ada.post_response(&added).await.assert_unreadable(UNSOLICITED);

    let shown = change(&admin, "okta", serde_json::json!({ "allow_unsolicited": true })).await;
    assert_eq!(shown["allow_unsolicited"], true);
    assert_signed_in(&ada.post_response(&unsolicited).await);
    change(&admin, "okta", serde_json::json!({ "allow_unsolicited": false })).await;
    let another = answer(&cloud, "b").field(TestKey::Rsa);
    ada.post_response(&another).await.assert_unreadable(UNSOLICITED);
}

#[tokio::test]
async fn answer_is_accepted_once_while_its_request_is_open() {
    let cloud = strict_corp(encrypted()).await;
    let mut ada = Browser::new(&cloud);
    let request = ada.begin("okta").await;
    let field = to(&cloud, &request, "a");
    let kept = ada.client();
    assert_signed_in(&ada.post_response(&field).await);
    let text = "SAMLResponse answers a request that was already answered";
    post_to(&kept, PATH, form(&field, None)).await.assert_unreadable(text);
    post_to(&kept, PATH, form(&to(&cloud, &request, "b"), None)).await.assert_unreadable(text);

    let request = ada.begin("okta").await;
    cloud.clock.advance(31 * MINUTE);
    let late = to(&cloud, &request, "c");
    ada.post_response(&late).await.assert_unreadable("SAMLResponse answers a request that has expired");
}

#[tokio::test]
async fn answer_of_another_provider_is_refused() {
    let cloud = corp().await;
    let mut twin = provider("twin");
    twin["acs_url"] = serde_json::json!(ACS);
    add_provider(&cloud.with_token(), twin).await;
    let mut ada = Browser::new(&cloud);
    let request = ada.begin("twin").await;
    let answered = post_to(&ada.client(), PATH, form(&to(&cloud, &request, "a"), None)).await;
    answered.assert_unreadable("SAMLResponse answers a request that nobody made");
    let request = ada.begin("okta").await;
    session(&cloud, &post_to(&ada.client(), PATH, form(&to(&cloud, &request, "b"), None)).await);
}
