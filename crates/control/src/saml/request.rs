//! Authentication requests to providers. Their ids contain the creation time and a hash of the browser's secret, sealed
//! for the provider. So a response can be matched to a request that was never stored, and nobody can fill the database
//! with requests. Only used requests are stored.
//!
//! The browser gets a secret, whose hash is in the id, and must present it with the response. So a stolen response is
//! useless, and an attacker cannot sign another browser in as themselves.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use croft_api::{
    Error, Result,
    scalar::{Name, RelativeUri},
};
use croft_saml::{AuthnRequest, FillRandom};
use croft_store::records::SamlIdentityProvider;
use jiff::{SignedDuration, Timestamp};

use super::{key_pair, provider, relay};
use crate::{Cx, Environment, Random as _, SeededRandom, authn};

/// Maximum duration of a sign-in at the provider.
pub const REQUEST_LIFE: SignedDuration = SignedDuration::from_mins(30);
/// Length of a time in microseconds, in bytes.
const TIME: usize = 8;
/// Length of the hash of a browser's secret, in bytes. With this length the id needs no base64 padding, which XML ids
/// do not allow.
const HASH: usize = 18;
/// The purpose of sealed ids.
const ID: &str = "request to the identity provider";

/// A request that has not been sent.
#[derive(Clone)]
pub struct NewRequest {
    provider: SamlIdentityProvider,
    id: String,
    secret: String,
    relay_state: String,
    time: Timestamp,
    /// Random bytes for blinding the signature.
    random: SeededRandom,
}

impl NewRequest {
    /// The browser's secret, which it must present with the response. Must not be disclosed to anybody else.
    pub fn secret(&self) -> &str {
        &self.secret
    }

    /// The URL to redirect the browser to. Signs the request if the provider has a key pair, which is slow.
    pub fn location(&self, environment: &Environment) -> Result<String> {
        let provider = &self.provider;
        let key = provider.signing_key.as_ref();
        let key = key.map(|key| key_pair::open(environment, provider.meta.id, key)).transpose()?;
        let request = AuthnRequest {
            id: &self.id,
            time: self.time,
            destination: &provider.sso_location,
            issuer: &provider.sp_client_id,
            acs_url: &provider.acs_url,
        };
        let mut random = self.random.clone();
        let mut fill = |bytes: &mut [u8]| random.fill_bytes(bytes);
        let signer = key.as_ref().map(|key| (key, &mut fill as FillRandom<'_>));
        request.location(&self.relay_state, signer).map_err(Error::internal)
    }
}

/// Creates an authentication request. Writes nothing.
pub fn begin(
    cx: &mut Cx<'_, '_>,
    silo: &Name,
    provider: &Name,
    redirect_uri: Option<&RelativeUri>,
) -> Result<NewRequest> {
    let provider = provider::for_login(cx, silo, provider)?;
    let (secret, hash) = authn::new_secret(cx);
    let content = [&cx.now.as_microsecond().to_be_bytes()[..], &hash[..HASH]].concat();
    let sealed = cx.environment.secret_key.seal(cx.random, ID, provider.meta.id, &content)?;
    let random = SeededRandom::from_random(cx.random);
    // An XML id starts with a letter or an underscore and contains neither slash nor plus.
    let id = format!("_{}", sealed.replace('+', "-").replace('/', "."));
    Ok(NewRequest { provider, id, secret, relay_state: relay::write(redirect_uri), time: cx.now, random })
}

/// A request whose response was received.
pub(super) struct AnsweredRequest<'a> {
    /// When its record can be removed.
    pub(super) expires: Timestamp,
    /// The secret of the browser that made it.
    pub(super) secret: &'a str,
}

/// The request that a response refers to, for a browser that presented these secrets.
///
/// # Errors
/// The id was not sealed by this server, has expired, or belongs to another browser.
pub(super) fn verify<'a>(
    cx: &Cx<'_, '_>,
    provider: &SamlIdentityProvider,
    id: &str,
    shown: &'a [String],
) -> Result<AnsweredRequest<'a>> {
    let unknown = || Error::Parse("SAMLResponse answers a request that nobody made".to_owned());
    let sealed = id.strip_prefix('_').ok_or_else(unknown)?.replace('-', "+").replace('.', "/");
    // Base64 may have several encodings of the same bytes. Only the canonical one is accepted, so that each request has
    // one id.
    let canonical =
        BASE64_STANDARD.decode(&sealed).is_ok_and(|bytes| BASE64_STANDARD.encode(bytes) == sealed);
    if !canonical || id.contains(['+', '/']) {
        return Err(unknown());
    }
    let content = cx.environment.secret_key.open(ID, provider.meta.id, &sealed).map_err(|_| unknown())?;
    let (time, hash) = content.split_first_chunk::<TIME>().ok_or_else(unknown)?;
    let time = Timestamp::from_microsecond(i64::from_be_bytes(*time)).map_err(|_| unknown())?;
    if cx.now.duration_since(time) > REQUEST_LIFE {
        return Err(Error::Parse("SAMLResponse answers a request that has expired".to_owned()));
    }
    let fits = |secret: &&String| authn::secret_hash(secret).is_some_and(|known| known.starts_with(hash));
    let secret = shown.iter().find(fits).filter(|_| hash.len() == HASH).ok_or_else(|| {
        Error::Parse(
            "SAMLResponse answers a request that this browser did not make at this address: allow cookies, \
             open the sign-in page at the address that the provider responds to, and sign in again"
                .to_owned(),
        )
    })?;
    Ok(AnsweredRequest { expires: time.checked_add(REQUEST_LIFE).unwrap_or(time), secret })
}
