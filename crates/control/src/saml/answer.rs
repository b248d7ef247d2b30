use base64::{Engine as _, prelude::BASE64_STANDARD};
use croft_api::{
    Error, Result,
    scalar::{Name, RelativeUri},
};
use croft_saml::{Budget, ServiceProvider, VerificationKey};
use croft_store::records::SamlIdentityProvider;
use jiff::Timestamp;
use serde::Deserialize;
use uuid::Uuid;

use super::{
    change, provider, relay, request,
    subject::Subject,
    uses::{self, SingleUse},
};
use crate::{
    Cx, audit,
    login::{self, NewSession},
    saml::operation,
};

/// The form that a browser posts for a provider.
#[derive(Deserialize)]
pub struct Form {
    /// The SAML response.
    #[serde(rename = "SAMLResponse")]
    pub response: String,
    /// The relay state.
    #[serde(rename = "RelayState")]
    pub relay_state: Option<String>,
}

impl Form {
    /// Parses the body of a post.
    ///
    /// # Errors
    /// The body is not such a form.
    pub fn read(body: &[u8]) -> Result<Self> {
        serde_urlencoded::from_bytes(body)
            .map_err(|error| Error::Parse(format!("error reading url encoded POST body! {error}")))
    }
}

/// A user who has signed in.
#[derive(Clone)]
pub struct SignedIn {
    /// The session.
    pub session: NewSession,
    /// The secret of the browser that made the request, which is used up; `None` if there was no request.
    pub secret: Option<String>,
}

/// A response that has passed all checks that change nothing.
#[derive(Clone, Debug)]
pub struct Checked {
    provider_id: Uuid,
    /// The time stamp of the provider whose keys and names were used for the check.
    generation: u64,
    subject: Subject,
    assertion_id: String,
    acceptable_until: Timestamp,
    in_response_to: Option<String>,
    redirect_uri: Option<RelativeUri>,
}

impl Checked {
    /// Where to go after signing in.
    pub fn redirect_uri(&self) -> Option<&RelativeUri> {
        self.redirect_uri.as_ref()
    }

    /// Whether it answers a request, and so is valid only in the browser that made the request.
    pub fn answers_request(&self) -> bool {
        self.in_response_to.is_some()
    }
}

/// The first step of `login_saml`: reads the input of the check.
///
/// # Errors
/// There is no such silo or provider.
pub fn verifier(cx: &mut Cx<'_, '_>, silo: &Name, provider: &Name) -> Result<Verifier> {
    Ok(Verifier { provider: provider::for_login(cx, silo, provider)?, now: cx.now })
}

/// The input of the check.
#[derive(Clone)]
pub struct Verifier {
    provider: SamlIdentityProvider,
    now: Timestamp,
}

impl Verifier {
    /// The second step of `login_saml`: checks everything that does not depend on earlier responses. Needs no database,
    /// and verifies signatures, which is slow.
    ///
    /// # Errors
    /// The reason why the form is refused.
    pub fn check(&self, body: &[u8]) -> Result<Checked> {
        let provider = &self.provider;
        let form = Form::read(body)?;
        let keys = keys(provider)?;
        let service = ServiceProvider {
            idp_entity_id: &provider.idp_entity_id,
            client_id: &provider.sp_client_id,
            acs_url: &provider.acs_url,
            keys: &keys,
            now: self.now,
        };
        let assertion = service.accept(&form.response, &mut Budget::default());
        let assertion = assertion.map_err(|refusal| Error::Parse(refusal.to_string()))?;
        if assertion.in_response_to.is_none() && !provider.allows_unsolicited {
            return Err(Error::Parse(
                "SAMLResponse has no signed InResponseTo: start at the sign-in page of this server; \
                 unsolicited responses are accepted only if an administrator allows them for the provider"
                    .to_owned(),
            ));
        }
        Ok(Checked {
            provider_id: provider.meta.id,
            generation: provider.meta.generation,
            subject: Subject::read(&assertion, provider.group_attribute_name.as_deref())?,
            assertion_id: assertion.id,
            acceptable_until: assertion.acceptable_until,
            in_response_to: assertion.in_response_to,
            redirect_uri: relay::read(form.relay_state.as_deref()),
        })
    }
}

fn keys(provider: &SamlIdentityProvider) -> Result<Vec<VerificationKey>> {
    let unreadable = || Error::internal("a stored certificate of an identity provider cannot be read");
    let key = |text: &String| {
        let der = BASE64_STANDARD.decode(text).map_err(|_| unreadable())?;
        VerificationKey::from_certificate(&der).ok_or_else(unreadable)
    };
    provider.signing_certificates.iter().chain(&provider.old_certificates).map(key).collect()
}

/// The last step of `login_saml`: marks the response as used and opens the session, for a browser that presented these
/// secrets. Writes the audit entry either way; the outer result is an error only if nothing may be committed.
pub fn complete(cx: &mut Cx<'_, '_>, checked: &Checked, shown: &[String]) -> Result<Result<SignedIn>> {
    let result = cx.attempt(|cx| open(cx, checked, shown));
    if let Err(error) = &result
        && audit::is_transient(error)
    {
        return Err(error.clone());
    }
    let signed_in = result.as_ref().map(|signed_in| &signed_in.session);
    audit::record_sign_in(cx, &operation::LOGIN_SAML, signed_in, None)?;
    Ok(result)
}

/// Writes the audit entry of a sign-in that failed before [`complete`].
pub fn refused(cx: &mut Cx<'_, '_>, error: &Error) -> Result<()> {
    audit::record(cx, None, &operation::LOGIN_SAML, Some(error))
}

fn open(cx: &mut Cx<'_, '_>, checked: &Checked, shown: &[String]) -> Result<SignedIn> {
    let provider: Option<SamlIdentityProvider> = cx.tx.get(checked.provider_id)?;
    let provider =
        provider.ok_or_else(|| Error::unauthenticated("the provider was deleted in the meantime"))?;
    if provider.is_disabled {
        return Err(provider::disabled(&provider));
    }
    if provider.meta.generation != checked.generation {
        return Err(Error::Parse(
            "the identity provider was changed while its response was checked: sign in again".to_owned(),
        ));
    }
    let mut secret = None;
    if let Some(id) = &checked.in_response_to {
        let answered = request::verify(cx, &provider, id, shown)?;
        uses::claim(cx, &provider, SingleUse::Request(id), answered.expires)?;
        secret = Some(answered.secret.to_owned());
    }
    uses::claim(cx, &provider, SingleUse::Assertion(&checked.assertion_id), checked.acceptable_until)?;
    let user = checked.subject.bring_up_to_date(cx, &provider)?;
    change::note_sign_in(cx, &provider)?;
    let session = login::open_session(cx, &user, Some(provider.meta.id))?;
    Ok(SignedIn { session, secret })
}
