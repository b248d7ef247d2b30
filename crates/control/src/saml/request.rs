//! Requests to providers. Their ids hold the time at which they were made and the browser that asked, sealed for their
//! provider: so a request that is answered proves to be ours without having been stored, and nobody can fill the database
//! by asking for sign-ins. What is stored is that a request was answered.
//!
//! A browser that asks gets a secret, of which the id holds the hash, and has to show it with the answer. So an answer
//! is useless to whoever steals it, and nobody can sign somebody else's browser in as themselves.

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

/// How long a sign-in at the provider may take.
pub const REQUEST_LIFE: SignedDuration = SignedDuration::from_mins(30);
/// Bytes of a time in microseconds.
const TIME: usize = 8;
/// Bytes of the hash of a browser's secret. With them the id ends without padding, which XML would not allow in it.
const HASH: usize = 18;
/// What ids are sealed for.
const ID: &str = "request to the identity provider";

/// A request that was made, not yet on its way.
#[derive(Clone)]
pub struct NewRequest {
    provider: SamlIdentityProvider,
    id: String,
    secret: String,
    relay_state: String,
    time: Timestamp,
    /// What blinds the signature.
    random: SeededRandom,
}

impl NewRequest {
    /// What nobody but the browser that asks may get to know, and that it has to show with the answer.
    pub fn secret(&self) -> &str {
        &self.secret
    }

    /// Where to send the browser. Signs the request if the provider has a key pair, which takes a while.
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

/// Makes a request to sign somebody in. Reads only.
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
    // An id of XML starts with a letter or an underscore and holds no slash and no plus.
    let id = format!("_{}", sealed.replace('+', "-").replace('/', "."));
    Ok(NewRequest { provider, id, secret, relay_state: relay::write(redirect_uri), time: cx.now, random })
}

/// A request that is answered.
pub(super) struct AnsweredRequest<'a> {
    /// When it is forgotten.
    pub(super) expires: Timestamp,
    /// The secret of the browser that made it.
    pub(super) secret: &'a str,
}

/// The request that is answered, by a browser that showed these secrets.
///
/// # Errors
/// It is not ours, too old, or was made by another browser.
pub(super) fn verify<'a>(
    cx: &Cx<'_, '_>,
    provider: &SamlIdentityProvider,
    id: &str,
    shown: &'a [String],
) -> Result<AnsweredRequest<'a>> {
    let unknown = || Error::Parse("SAMLResponse answers a request that nobody made".to_owned());
    let sealed = id.strip_prefix('_').ok_or_else(unknown)?.replace('-', "+").replace('.', "/");
    // Anything but the one text that was sealed is refused, so that no request has two names.
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
