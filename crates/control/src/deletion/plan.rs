use std::{
    collections::{HashMap, HashSet},
    fmt::Write as _,
};

use croft_api::{Error, Result, deletion::DeletionEffect};
use croft_store::records::AuditSubject;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::MAX_DELETED;
use crate::{
    Caller, Cx, deletable,
    dependents::{Dependent, Dependents},
    resource::{DeletableKind, Subject, deletable_kinds},
};

/// Members of a part that are read if not all are needed.
const FEW: usize = 100;

/// What the deletion of a resource would do.
pub(super) struct Plan {
    /// The kind of the resource.
    pub(super) kind: &'static DeletableKind,
    /// The resource.
    pub(super) record: Dependent,
    /// Why it cannot be deleted alone.
    pub(super) refusal: Option<Error>,
    /// What hangs on it.
    pub(super) parts: Vec<Part>,
    /// What has to be deleted before it, in this order, if all that may go along does.
    pub(super) steps: Vec<Step>,
    /// What is deleted after it.
    pub(super) after: Vec<Step>,
    /// Whether too many resources would be deleted.
    pub(super) is_too_large: bool,
    /// Stands for what hangs on it.
    pub(super) revision: String,
}

/// Resources of one kind that a deletion concerns in the same way.
pub(super) struct Part {
    /// Their kind.
    pub(super) kind: &'static str,
    /// The table whose readers may read them.
    pub(super) table: &'static str,
    /// What the deletion means for them.
    pub(super) effect: DeletionEffect,
    /// The kind of the part that has to go along for this to happen.
    pub(super) along_with: Option<&'static str>,
    /// Whether they may go along.
    pub(super) can_go_along: bool,
    /// How many there are.
    pub(super) count: u64,
    /// Whether there may be more.
    pub(super) is_incomplete: bool,
    /// All of them, or the first.
    pub(super) members: Vec<Dependent>,
    /// How many of them, and of what has to be deleted before them, are refused.
    pub(super) refused: u64,
    /// The first refusal.
    pub(super) refusal: Option<String>,
    /// Whether the caller may not delete one of them.
    pub(super) is_denied: bool,
    /// The refusals of members.
    pub(super) refusals: HashMap<Uuid, String>,
}

/// The deletion of one resource by its rule.
pub(super) struct Step {
    /// Its kind.
    pub(super) kind: &'static DeletableKind,
    /// The resource.
    pub(super) id: Uuid,
    /// Its name, if an error has to say what it is about.
    pub(super) name: Option<String>,
    /// The part that it goes along with; `None` for the resource that was asked for.
    pub(super) along_with: Option<&'static str>,
}

impl Step {
    /// Says in an error what it is about.
    pub(super) fn explain(&self, error: Error) -> Error {
        let Some(name) = &self.name else { return error };
        match error {
            Error::InvalidRequest(text) => Error::InvalidRequest(about(self.kind.table.name, name, &text)),
            Error::Conflict(text) => Error::Conflict(about(self.kind.table.name, name, &text)),
            error => error,
        }
    }
}

fn about(kind: &str, name: &str, text: &str) -> String {
    format!("{} \"{name}\": {text}", kind.replace('_', " "))
}

/// How a kind is deleted, if that is described.
pub(super) fn described(kind: &str) -> Option<&'static DeletableKind> {
    deletable_kinds().find(|described| described.table.name == kind)
}

impl Plan {
    /// What the deletion of a resource would do that the caller may read.
    pub(super) fn of(
        cx: &mut Cx<'_, '_>,
        caller: &Caller,
        kind: &'static DeletableKind,
        id: Uuid,
    ) -> Result<Self> {
        let subject = (kind.find)(cx, caller, id)?;
        let refusal = match &subject.refusal {
            Some(refusal) => Some(refusal.clone()),
            None => deletable::first_refusal(cx, &subject.blockers)?,
        };
        let mut walk = Walk::new(caller);
        walk.deleted.insert(id);
        let Subject { record, blockers, effects, kept, .. } = subject;
        for dependents in blockers.iter().chain(&effects).chain(&kept) {
            walk.add_direct(cx, dependents)?;
        }
        walk.descend_all(cx)?;
        walk.settle();
        let Walk { parts, steps, after, is_too_large, .. } = walk;
        let revision = revision(&parts);
        Ok(Self { kind, record, refusal, parts, steps, after, is_too_large, revision })
    }

    /// How the audit log names the resource.
    pub(super) fn subject(&self) -> AuditSubject {
        let Dependent { id, name, scope, parent, .. } = &self.record;
        AuditSubject {
            kind: self.kind.table.name.to_owned(),
            id: *id,
            name: name.clone(),
            parent: *parent,
            silo_id: scope.silo,
            project_id: scope.project,
        }
    }

    /// Fails unless the resources of a kind may go along.
    pub(super) fn require_along(&self, kind: &str) -> Result<()> {
        let Some(part) = self.parts.iter().find(|part| part.can_go_along && part.kind == kind) else {
            let text = format!("nothing of the kind \"{kind}\" can be deleted along with it");
            return Err(Error::invalid_value("also", text));
        };
        // The error of the rule would say what it is about, which this caller may not be allowed to know.
        if part.is_denied {
            return Err(Error::Forbidden);
        }
        if self.is_too_large { Err(Error::invalid_value("also", too_large())) } else { Ok(()) }
    }
}

fn too_large() -> String {
    format!("more than {MAX_DELETED} resources would be deleted at once; delete some of them first")
}

/// Stands for everything of a plan that is refused, deleted or changed.
fn revision(parts: &[Part]) -> String {
    let mut hash = Sha256::new();
    for part in parts.iter().filter(|part| part.effect != DeletionEffect::Kept) {
        let along_with = part.along_with.unwrap_or_default();
        hash.update(format!("{} {:?} {along_with} {}\n", part.kind, part.effect, part.count));
        let mut ids: Vec<Uuid> = part.members.iter().map(|member| member.id).collect();
        ids.sort_unstable();
        if part.is_whole() {
            for id in ids {
                hash.update(id);
            }
        }
    }
    hash.finalize()[..16].iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

impl Part {
    fn is_whole(&self) -> bool {
        u64::try_from(self.members.len()).is_ok_and(|known| known == self.count)
    }

    fn key(&self) -> (&'static str, DeletionEffect, Option<&'static str>) {
        (self.kind, self.effect, self.along_with)
    }
}

/// Why a resource that is to go along cannot be deleted unless these are deleted, too.
struct Blocked {
    step: usize,
    is_after: bool,
    blockers: Vec<Uuid>,
    error: Error,
}

/// A resource that is to go along and cannot be deleted.
struct Refused {
    id: Uuid,
    along_with: &'static str,
    /// Whether the caller may not delete it.
    is_denied: bool,
    /// Said of the part that it goes along with.
    of_part: String,
    /// Said of itself.
    of_member: String,
}

/// How a resource comes to be deleted.
#[derive(Clone, Copy)]
struct Way {
    along_with: Option<&'static str>,
    /// By its own rule, rather than by the rule of what it is part of.
    is_step: bool,
    is_after: bool,
}

/// Collects what is deleted along, from the resource downwards.
struct Walk<'c> {
    caller: &'c Caller,
    parts: Vec<Part>,
    /// How many of the parts concern the resource itself.
    direct: usize,
    deleted: HashSet<Uuid>,
    steps: Vec<Step>,
    after: Vec<Step>,
    blocked: Vec<Blocked>,
    refused: Vec<Refused>,
    is_too_large: bool,
}

impl<'c> Walk<'c> {
    fn new(caller: &'c Caller) -> Self {
        Self {
            caller,
            parts: Vec::new(),
            direct: 0,
            deleted: HashSet::new(),
            steps: Vec::new(),
            after: Vec::new(),
            blocked: Vec::new(),
            refused: Vec::new(),
            is_too_large: false,
        }
    }

    fn add_direct(&mut self, cx: &mut Cx<'_, '_>, dependents: &Dependents) -> Result<()> {
        let count = dependents.count(cx.tx)?;
        if count == 0 {
            return Ok(());
        }
        let limit =
            if usize::try_from(count).is_ok_and(|count| count <= MAX_DELETED) { MAX_DELETED } else { FEW };
        let can_go_along = dependents.may_go_along && described(dependents.kind).is_some();
        self.is_too_large |= can_go_along && limit == FEW;
        self.parts.push(Part {
            can_go_along,
            count,
            is_incomplete: dependents.is_incomplete,
            members: dependents.first(cx.tx, limit)?,
            ..Part::new(dependents, dependents.effect, None)
        });
        self.direct = self.parts.len();
        Ok(())
    }

    fn descend_all(&mut self, cx: &mut Cx<'_, '_>) -> Result<()> {
        for index in 0..self.direct {
            let part = &self.parts[index];
            let Some(kind) = described(part.kind) else { continue };
            let way = match part.effect {
                _ if part.can_go_along => Way {
                    along_with: Some(kind.table.name),
                    is_step: true,
                    is_after: part.effect != DeletionEffect::Prevents,
                },
                DeletionEffect::Deleted => Way { along_with: None, is_step: false, is_after: false },
                _ => continue,
            };
            // Of larger parts, what hangs on them is not shown.
            if !part.is_whole() {
                continue;
            }
            for member in part.members.clone() {
                self.descend(cx, kind, &member, way)?;
            }
        }
        Ok(())
    }

    /// Collects what hangs on a resource that is deleted.
    fn descend(
        &mut self,
        cx: &mut Cx<'_, '_>,
        kind: &'static DeletableKind,
        member: &Dependent,
        way: Way,
    ) -> Result<()> {
        if self.is_too_large || !self.deleted.insert(member.id) {
            return Ok(());
        }
        self.is_too_large |= self.deleted.len() > MAX_DELETED;
        let Some(subject) = (kind.get)(cx, self.caller, member.id)? else { return Ok(()) };
        let name =
            subject.record.name.or_else(|| member.name.clone()).unwrap_or_else(|| member.id.to_string());
        let mut blocked = Vec::new();
        for blockers in &subject.blockers {
            let found = blockers.first(cx.tx, MAX_DELETED + 1)?;
            if let Some(kind) = described(blockers.kind).filter(|_| blockers.may_go_along) {
                self.add_nested(blockers, DeletionEffect::Deleted, way.along_with, &found);
                found.iter().try_for_each(|member| self.descend(cx, kind, member, way))?;
            } else if let Some(error) = found.first().and_then(|first| blockers.refusal(first)) {
                blocked.push((found.iter().map(|blocker| blocker.id).collect(), error));
            }
        }
        if way.is_step {
            self.add_step(kind, member.id, name, subject.refusal, blocked, way);
        }
        for effects in &subject.effects {
            let found = effects.first(cx.tx, MAX_DELETED + 1)?;
            self.add_nested(effects, effects.effect, way.along_with, &found);
            if let (DeletionEffect::Deleted, Some(kind)) = (effects.effect, described(effects.kind)) {
                let way = Way { is_step: false, ..way };
                found.iter().try_for_each(|member| self.descend(cx, kind, member, way))?;
            }
        }
        Ok(())
    }

    /// Adds a resource that is deleted by its own rule, and why it is refused now, or unless others are deleted.
    fn add_step(
        &mut self,
        kind: &'static DeletableKind,
        id: Uuid,
        name: String,
        refusal: Option<Error>,
        blocked: Vec<(Vec<Uuid>, Error)>,
        Way { along_with, is_after, .. }: Way,
    ) {
        let steps = if is_after { &mut self.after } else { &mut self.steps };
        let step = steps.len();
        steps.push(Step { kind, id, name: Some(name.clone()), along_with });
        if let Some(refusal) = refusal {
            self.refuse(id, along_with.unwrap_or_default(), kind, &name, &refusal);
        } else {
            let blocked = blocked.into_iter();
            self.blocked.extend(blocked.map(|(blockers, error)| Blocked { step, is_after, blockers, error }));
        }
    }

    fn refuse(
        &mut self,
        id: Uuid,
        along_with: &'static str,
        kind: &DeletableKind,
        name: &str,
        error: &Error,
    ) {
        // Whoever may not delete it may not be allowed to know its name, either.
        let is_denied = matches!(error, Error::Forbidden | Error::ForbiddenText(_));
        let (of_part, of_member) = match error {
            Error::Forbidden | Error::ForbiddenText(_) => {
                ("you may not delete all of these".to_owned(), "you may not delete this".to_owned())
            }
            error => (about(kind.table.name, name, &error.message()), error.message()),
        };
        self.refused.push(Refused { id, along_with, is_denied, of_part, of_member });
    }

    /// Adds members to the part of what happens when others are deleted along.
    fn add_nested(
        &mut self,
        dependents: &Dependents,
        effect: DeletionEffect,
        along_with: Option<&'static str>,
        found: &[Dependent],
    ) {
        // What is deleted in another way already is shown there.
        let is_new =
            |member: &&Dependent| effect != DeletionEffect::Deleted || !self.deleted.contains(&member.id);
        let found: Vec<Dependent> = found.iter().filter(is_new).cloned().collect();
        if found.is_empty() {
            return;
        }
        let part = Part::new(dependents, effect, along_with);
        let nested = self.parts.iter().skip(self.direct).position(|other| other.key() == part.key());
        let index = nested.map_or(self.parts.len(), |position| self.direct + position);
        if index == self.parts.len() {
            self.parts.push(part);
        }
        self.parts[index].members.extend(found);
    }

    /// Once all is known that would be deleted: what is refused, and what is changed that is not deleted itself.
    fn settle(&mut self) {
        for blocked in std::mem::take(&mut self.blocked) {
            if blocked.blockers.iter().all(|id| self.deleted.contains(id)) {
                continue;
            }
            let steps = if blocked.is_after { &self.after } else { &self.steps };
            let Step { kind, id, name, along_with } = &steps[blocked.step];
            let (name, along_with) = (name.clone().unwrap_or_default(), along_with.unwrap_or_default());
            let (kind, id) = (*kind, *id);
            self.refuse(id, along_with, kind, &name, &blocked.error);
        }
        let direct: HashSet<Uuid> = self.parts[..self.direct]
            .iter()
            .flat_map(|part| part.members.iter().map(|member| member.id))
            .collect();
        for part in &mut self.parts[self.direct..] {
            let mut seen = HashSet::new();
            let is_deleted = part.effect == DeletionEffect::Deleted;
            part.members.retain(|member| {
                let is_shown =
                    direct.contains(&member.id) || (!is_deleted && self.deleted.contains(&member.id));
                !is_shown && seen.insert(member.id)
            });
            part.count = u64::try_from(part.members.len()).unwrap_or(u64::MAX);
        }
        self.parts.retain(|part| part.count > 0);
        for part in &mut self.parts {
            part.settle(&self.refused, self.is_too_large);
        }
    }
}

impl Part {
    fn new(dependents: &Dependents, effect: DeletionEffect, along_with: Option<&'static str>) -> Self {
        Self {
            kind: dependents.kind,
            table: dependents.table,
            effect,
            along_with,
            can_go_along: false,
            count: 0,
            is_incomplete: false,
            members: Vec::new(),
            refused: 0,
            refusal: None,
            is_denied: false,
            refusals: HashMap::new(),
        }
    }

    /// Takes what was refused of the part, and puts it in front.
    fn settle(&mut self, refused: &[Refused], is_too_large: bool) {
        let group = if self.can_go_along { Some(self.kind) } else { self.along_with };
        let Some(group) = group else { return };
        let of_group = || refused.iter().filter(move |refused| refused.along_with == group);
        let own: HashSet<Uuid> = self.members.iter().map(|member| member.id).collect();
        let of_own = of_group().filter(|refused| own.contains(&refused.id));
        self.refusals = of_own.map(|refused| (refused.id, refused.of_member.clone())).collect();
        self.members.sort_by_key(|member| !self.refusals.contains_key(&member.id));
        if !self.can_go_along {
            return;
        }
        self.is_denied = of_group().any(|refused| refused.is_denied);
        self.refused = u64::try_from(of_group().count()).unwrap_or(u64::MAX);
        self.refusal = if is_too_large {
            Some(too_large())
        } else {
            of_group().next().map(|refused| refused.of_part.clone())
        };
    }
}
