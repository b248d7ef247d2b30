//! No posted body causes an internal error.

use proptest::{prelude::*, test_runner::TestRunner};

use super::{PATH, TestKey, answer, corp, form, post_to};

/// Random bodies, forms with random fields, and damaged forms of valid responses.
fn bodies(good: String) -> impl Strategy<Value = Vec<u8>> {
    let anything = prop::collection::vec(any::<u8>(), 0..300);
    let fields =
        (".{0,80}", ".{0,40}").prop_map(|(response, relay)| form(&response, Some(&relay)).into_bytes());
    let damaged =
        (any::<prop::sample::Index>(), any::<u8>(), any::<bool>()).prop_map(move |(at, with, cut)| {
            let mut bytes = good.clone().into_bytes();
            let at = at.index(bytes.len());
            bytes[at] = with;
            if cut {
                bytes.truncate(at);
            }
            bytes
        });
    prop_oneof![anything, fields, damaged]
}

#[test]
fn any_saml_body_is_handled() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let cloud = runtime.block_on(corp());
    let good = form(&answer(&cloud, "good").field(TestKey::Rsa), Some("e30="));
    let nobody = cloud.anonymous();
    let post = |body: Vec<u8>| {
        runtime.block_on(async {
            let client = nobody.clone().with("content-type", "application/x-www-form-urlencoded");
            client.send(http::Method::POST, PATH, body).await
        })
    };
    TestRunner::new(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })
        .run(&bodies(good.clone()), |body| {
            let answer = post(body);
            prop_assert!(matches!(answer.status, 303 | 400), "{:?}", answer);
            Ok(())
        })
        .unwrap();
    assert_eq!(runtime.block_on(post_to(&nobody, "/login/corp/saml/okta/", String::new())).status, 400);
}
