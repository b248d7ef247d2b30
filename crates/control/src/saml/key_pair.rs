use base64::{Engine as _, prelude::BASE64_STANDARD};
use croft_api::{Error, Result, identity_provider::DerEncodedKeyPair};
use croft_saml::KeyPair;
use croft_store::records::SigningKey;
use uuid::Uuid;
use zeroize::Zeroizing;

use crate::{Cx, Environment, Random};

/// The purpose of sealed private keys.
const KEY: &str = "private key of the identity provider";

/// Checks that the certificate and the key in a body belong together. The computation is slow, so it runs only for
/// callers who may configure a provider.
///
/// # Errors
/// `Parse`, like a body that cannot be decoded.
pub fn check_key_pair(field: &str, pair: &DerEncodedKeyPair, random: &mut dyn Random) -> Result<()> {
    let refused = |part: &str, error: &dyn std::fmt::Display| {
        Error::Parse(format!("unable to parse JSON body: {field}{part}: {error}"))
    };
    let decode = |part, text: &str| {
        BASE64_STANDARD.decode(text).map_err(|error| refused(part, &format!("not standard Base64: {error}")))
    };
    let certificate = decode(".public_cert", &pair.public_cert)?;
    let key = Zeroizing::new(decode(".private_key", &pair.private_key)?);
    let checked = KeyPair::check(&certificate, &key, &mut |bytes| random.fill_bytes(bytes));
    checked.map_err(|error| refused("", &error))
}

/// The stored form of a key pair.
pub(super) fn seal(cx: &mut Cx<'_, '_>, provider: Uuid, pair: &DerEncodedKeyPair) -> Result<SigningKey> {
    let key = Zeroizing::new(BASE64_STANDARD.decode(&pair.private_key).map_err(Error::internal)?);
    let sealed_key = cx.environment.secret_key.seal(cx.random, KEY, provider, &key)?;
    Ok(SigningKey { public_cert: pair.public_cert.clone(), sealed_key })
}

/// Opens the key of a stored pair.
pub(super) fn open(environment: &Environment, provider: Uuid, key: &SigningKey) -> Result<KeyPair> {
    let key = environment.secret_key.open(KEY, provider, &key.sealed_key)?;
    KeyPair::from_pkcs1(&key).map_err(Error::internal)
}
