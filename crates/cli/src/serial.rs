//! `croft instance serial console`: the terminal as the instance's serial console.

use std::{
    io::{IsTerminal as _, Write as _, stdin, stdout},
    sync::Arc,
};

use futures_util::{SinkExt as _, StreamExt as _};
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};
use tokio::{io::AsyncReadExt as _, sync::mpsc};
use tokio_tungstenite::{
    Connector, connect_async_tls_with_config,
    tungstenite::{
        Message,
        client::IntoClientRequest as _,
        protocol::{CloseFrame, frame::coding::CloseCode},
    },
};

use crate::{
    client::{Client, trusted},
    failure::{Failure, Result},
    request::Request,
};

/// Ctrl+], which ends the connection, as in telnet.
const ESCAPE: u8 = 0x1d;

/// Connects the terminal with a console until either side ends it.
///
/// # Errors
///
/// The connection cannot be opened, or the server ends it with a reason.
pub fn attach(client: &Client, request: &Request, authority: Option<&str>) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(Failure::io("cannot start"))?;
    let outcome = runtime.block_on(follow(client, request, authority));
    // A thread may be waiting for the next key.
    runtime.shutdown_background();
    outcome
}

async fn follow(client: &Client, request: &Request, authority: Option<&str>) -> Result<()> {
    let address = format!("{}{}", client.server(), request.target()).replacen("http", "ws", 1);
    let unreachable =
        |error: &dyn std::fmt::Display| Failure::Unreachable(format!("cannot connect: {error}"));
    let mut upgrade = address.into_client_request().map_err(|error| unreachable(&error))?;
    if let Some(token) = client.token() {
        let value = format!("Bearer {token}").parse();
        let value = value.map_err(|_| Failure::Usage("the token cannot be sent".to_owned()))?;
        upgrade.headers_mut().insert("authorization", value);
    }
    let connected = connect_async_tls_with_config(upgrade, None, true, Some(connector(authority)?)).await;
    let (socket, _) = connected.map_err(|error| unreachable(&error))?;
    let (mut to_server, mut from_server) = socket.split();

    eprintln!("Connected. Press Ctrl+] to leave.");
    let _raw = RawTerminal::enter();
    let mut keys = keys();
    let mut is_typing = true;
    loop {
        tokio::select! {
            message = from_server.next() => match message {
                Some(Ok(Message::Binary(bytes))) => {
                    let mut out = stdout();
                    out.write_all(&bytes).and_then(|()| out.flush()).map_err(Failure::io("cannot write"))?;
                }
                Some(Ok(Message::Close(frame))) => return ended(frame),
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(Failure::Unreachable(format!("the connection broke: {error}"))),
                None => return Ok(()),
            },
            typed = keys.recv(), if is_typing => match typed {
                Some(bytes) => {
                    let escape = bytes.iter().position(|byte| *byte == ESCAPE);
                    let sent = bytes[..escape.unwrap_or(bytes.len())].to_vec();
                    if !sent.is_empty() {
                        let done = to_server.send(Message::binary(sent)).await;
                        done.map_err(|error| unreachable(&error))?;
                    }
                    if escape.is_some() {
                        let _ = to_server.close().await;
                        return Ok(());
                    }
                }
                // The end of standard input: what comes is still shown.
                None => is_typing = false,
            },
        }
    }
}

fn ended(frame: Option<CloseFrame>) -> Result<()> {
    match frame {
        Some(frame) if frame.code != CloseCode::Normal => {
            Err(Failure::Ended(format!("the server ended the connection: {}", frame.reason)))
        }
        _ => Ok(()),
    }
}

fn connector(authority: Option<&str>) -> Result<Connector> {
    let mut roots = rustls::RootCertStore::empty();
    roots.add_parsable_certificates(trusted(authority)?);
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| Failure::Unreachable(format!("cannot use TLS: {error}")))?;
    Ok(Connector::Rustls(Arc::new(builder.with_root_certificates(roots).with_no_client_auth())))
}

/// What is typed. Standard input is read by a task of its own, so that no key is lost.
fn keys() -> mpsc::Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel(16);
    tokio::spawn(async move {
        let mut input = tokio::io::stdin();
        let mut buffer = [0; 1024];
        while let Ok(count @ 1..) = input.read(&mut buffer).await {
            if sender.send(buffer[..count].to_vec()).await.is_err() {
                break;
            }
        }
    });
    receiver
}

/// The terminal, which passes on every key as it is, until this is dropped.
struct RawTerminal(Option<Termios>);

impl RawTerminal {
    fn enter() -> Self {
        if !stdin().is_terminal() {
            return Self(None);
        }
        let before = tcgetattr(stdin()).ok();
        if let Some(before) = &before {
            let mut raw = before.clone();
            raw.make_raw();
            let _ = tcsetattr(stdin(), OptionalActions::Now, &raw);
        }
        Self(before)
    }
}

impl Drop for RawTerminal {
    fn drop(&mut self) {
        if let Some(before) = &self.0 {
            let _ = tcsetattr(stdin(), OptionalActions::Now, before);
            eprintln!();
        }
    }
}
