//! BFD sessions (`docs/rules/networking.md#bfd`).

use std::sync::Arc;

use croft_api::{
    Error, ResourceKind, Result,
    bfd::{BfdSessionDisable, BfdSessionEnable, BfdState, BfdStatus},
    scalar::{Name, SwitchLocation},
};
use croft_sled::RoutingDaemon;
use croft_store::{ListBy, Meta, records::BfdSession};

use crate::{
    Caller, Cx, Declaration, Resource,
    authz::{self, Kind, ResourceScope},
    paging,
};

crate::authz::operations! {
    contract {
        NETWORKING_BFD_STATUS = reads(Kind::SYSTEM_NETWORK, Permission::Read);
        NETWORKING_BFD_ENABLE = changes(Kind::SYSTEM_NETWORK, Permission::Modify, 204);
        NETWORKING_BFD_DISABLE = changes(Kind::SYSTEM_NETWORK, Permission::Modify, 204);
    }
}

impl Resource for BfdSession {
    const DECLARATION: Declaration = Declaration::in_fleet(Kind::SYSTEM_NETWORK);
}

fn place() -> ResourceScope {
    ResourceScope::fleet(Kind::SYSTEM_NETWORK)
}

fn location(switch: &Name) -> Result<SwitchLocation> {
    switch.as_str().parse().map_err(|error| {
        Error::invalid_request(format!("invalid switch name {switch}: parse switch location error: {error}"))
    })
}

/// `networking_bfd_enable`. A session that already matches is left unchanged.
pub fn enable(cx: &mut Cx<'_, '_>, caller: &Caller, params: &BfdSessionEnable) -> Result<()> {
    authz::require(cx, caller, &place(), &operation::NETWORKING_BFD_ENABLE)?;
    let session = BfdSession {
        meta: cx.new_meta(),
        switch: location(&params.switch)?,
        remote: params.remote,
        local: params.local,
        detection_threshold: params.detection_threshold,
        required_rx: u32::try_from(params.required_rx).unwrap_or(u32::MAX),
        mode: params.mode.into(),
    };
    let peer = BfdSession::peer(session.switch, session.remote);
    match cx.tx.find::<BfdSession>(BfdSession::PEER, peer)? {
        None => Ok(cx.tx.insert(&session)?),
        Some(kept) if alike(&kept, &session) => Ok(()),
        Some(_) => {
            let name = format!("{} on {}", session.remote, session.switch);
            Err(Error::exists(ResourceKind::BfdSession, name))
        }
    }
}

/// Whether two sessions have the same settings.
fn alike(one: &BfdSession, other: &BfdSession) -> bool {
    let meta: &Meta = &other.meta;
    BfdSession { meta: meta.clone(), ..one.clone() } == *other
}

/// `networking_bfd_disable`: succeeds if there is no such session.
pub fn disable(cx: &mut Cx<'_, '_>, caller: &Caller, params: &BfdSessionDisable) -> Result<()> {
    authz::require(cx, caller, &place(), &operation::NETWORKING_BFD_DISABLE)?;
    let peer = BfdSession::peer(location(&params.switch)?, params.remote);
    if let Some(session) = cx.tx.find::<BfdSession>(BfdSession::PEER, peer)? {
        cx.tx.remove::<BfdSession>(session.meta.id, cx.now)?;
    }
    Ok(())
}

/// The stored sessions, for `networking_bfd_status`; [`status`] queries their state.
pub fn sessions(cx: &mut Cx<'_, '_>, caller: &Caller) -> Result<Vec<BfdSession>> {
    authz::require(cx, caller, &place(), &operation::NETWORKING_BFD_STATUS)?;
    let mut sessions: Vec<BfdSession> = paging::all(cx.tx, &ListBy::All)?;
    sessions.sort_by_key(|session| (session.switch, session.remote));
    Ok(sessions)
}

/// `networking_bfd_status`: queries switches outside the transaction. A peer that no daemon watches is reported as
/// down.
pub fn status(daemons: &[Arc<dyn RoutingDaemon>], sessions: Vec<BfdSession>) -> Result<Vec<BfdStatus>> {
    let state = |session: &BfdSession| {
        let daemon = daemons.iter().find(|daemon| daemon.switch() == session.switch);
        let answer = daemon.map_or(Ok(None), |daemon| daemon.bfd_state(session.remote));
        let answer = answer.unwrap_or_else(|error| {
            tracing::warn!(%error, switch = %session.switch, "a routing daemon does not respond");
            None
        });
        answer.unwrap_or(BfdState::Down)
    };
    let view = |session: BfdSession| {
        Ok(BfdStatus {
            peer: session.remote,
            state: state(&session),
            switch: session.switch.as_str().parse()?,
            local: session.local,
            detection_threshold: session.detection_threshold,
            required_rx: session.required_rx.into(),
            mode: session.mode.into(),
        })
    };
    sessions.into_iter().map(view).collect()
}
