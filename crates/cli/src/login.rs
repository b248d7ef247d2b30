//! Signing in by the device flow (RFC 8628): the person confirms a code in the console.

use std::{thread, time::Duration};

use crate::{
    client::Client,
    failure::{Failure, Result},
};

/// What the client calls itself.
const CLIENT_ID: &str = "6c2f1a9e-5f0c-4f0e-9d0b-0c2a4b7d9e11";

/// Pause between two questions whether the code was confirmed. The server names none; RFC 8628, section 3.2, then
/// prescribes five seconds at most.
const PAUSE: Duration = Duration::from_secs(2);

/// A token, and its id.
#[derive(Debug)]
pub struct Token {
    /// What is sent.
    pub secret: String,
    /// With which the token can be deleted.
    pub id: Option<String>,
}

/// Tells the person what to do, and waits until it is done.
///
/// # Errors
///
/// The server cannot be reached, or the code was refused or not confirmed in time.
pub fn device_flow(client: &Client, tell: impl FnOnce(&str, &str)) -> Result<Token> {
    let (status, begun) = client.form("/device/auth", &[("client_id", CLIENT_ID)])?;
    let text = |name: &str| begun[name].as_str().map(str::to_owned);
    let (Some(device), Some(user), Some(address)) =
        (text("device_code"), text("user_code"), text("verification_uri"))
    else {
        return Err(Failure::Unreachable(format!(
            "{} does not offer to sign in (status {status}). Is it the address of a Croft server?",
            client.server()
        )));
    };
    tell(&user, &address);
    loop {
        let fields = [
            ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"),
            ("device_code", device.as_str()),
            ("client_id", CLIENT_ID),
        ];
        let (status, answer) = client.form("/device/token", &fields)?;
        if let Some(secret) = answer["access_token"].as_str() {
            let id = answer["token_id"].as_str().map(str::to_owned);
            return Ok(Token { secret: secret.to_owned(), id });
        }
        match answer["error"].as_str() {
            Some("authorization_pending") => thread::sleep(PAUSE),
            Some("slow_down") => thread::sleep(PAUSE + PAUSE),
            Some("expired_token") => {
                return Err(Failure::SignedOut(
                    "the code was not confirmed in time; sign in again".to_owned(),
                ));
            }
            Some("access_denied") => {
                return Err(Failure::SignedOut("the request to sign in was denied".to_owned()));
            }
            _ => {
                let reason =
                    answer["error"].as_str().or(answer["message"].as_str()).unwrap_or("no reason given");
                return Err(Failure::SignedOut(format!("cannot sign in: {reason} (status {status})")));
            }
        }
    }
}
