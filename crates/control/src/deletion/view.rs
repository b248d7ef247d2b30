use croft_api::{
    Result,
    deletion::{Deletion, DeletionItem, DeletionPart},
};

use super::plan::{Part, Plan};
use crate::{
    Caller, Cx,
    event::{self, AccessCache},
    search::Places,
};

/// Most resources that are named of each part.
const MAX_ITEMS: usize = 20;

/// Shows a plan to a caller, who is told the names of nothing else than what they may read.
pub(super) fn view(cx: &mut Cx<'_, '_>, caller: &Caller, plan: Plan) -> Result<Deletion> {
    let (mut access, mut places) = (AccessCache::new(caller.user_id, caller.silo_id), Places::default());
    let mut parts = Vec::new();
    for part in plan.parts {
        parts.push(part_view(cx, &mut access, &mut places, part)?);
    }
    Ok(Deletion {
        kind: plan.kind.table.name.to_owned(),
        id: plan.record.id,
        name: plan.record.name,
        refusal: plan.refusal.map(|refusal| refusal.message()),
        parts,
        revision: plan.revision,
    })
}

fn part_view(
    cx: &mut Cx<'_, '_>,
    access: &mut AccessCache,
    places: &mut Places,
    part: Part,
) -> Result<DeletionPart> {
    let mut items = Vec::new();
    for member in part.members {
        if items.len() == MAX_ITEMS {
            break;
        }
        let needs = event::needs_of(part.table, member.scope, member.id, member.parent);
        let Some(needs) = needs else { continue };
        if !access.can_read(cx, needs)? {
            continue;
        }
        let refusal = part.refusals.get(&member.id).cloned();
        let within = places.of(cx, member.parent)?;
        items.push(DeletionItem { id: member.id, name: member.name, within, refusal });
    }
    Ok(DeletionPart {
        kind: part.kind.to_owned(),
        effect: part.effect,
        along_with: part.along_with.map(str::to_owned),
        count: part.count,
        is_incomplete: part.is_incomplete,
        can_go_along: part.can_go_along && part.refusal.is_none(),
        refused: part.refused,
        refusal: part.refusal,
        items,
    })
}
