/* Functions that the files of the plan reader share. */
#ifndef DEJANK_PLAN_PLAN_PRIVATE_H
#define DEJANK_PLAN_PLAN_PRIVATE_H

#include "plan/fields.h"
#include "plan/plan.h"

/* Reads the conditions of a class from a device's map. If the map has only "class: NAME",
 * NAME must be a predefined class. Ignores other keys. */
void dj_plan_read_class(const struct dj_tree_node *map, const struct dj_tree_node *name,
                        struct dj_device_class *class, struct dj_plan_faults *faults);

/* Each of these functions reads one part of the plan. */
void dj_plan_read_devices(const struct dj_tree_node *list, struct dj_plan *plan);
void dj_plan_read_flows(const struct dj_tree_node *list, struct dj_plan *plan);
void dj_plan_read_builds(const struct dj_tree_node *list, struct dj_plan *plan);
/* Must be called after the devices are read. */
void dj_plan_read_trace(const struct dj_tree_node *node, struct dj_plan *plan);
void dj_plan_read_gate(const struct dj_tree_node *map, struct dj_plan_gate *gate,
                       struct dj_plan_faults *faults);
void dj_plan_read_objectives(const struct dj_tree_node *list, struct dj_plan *plan);

/* Appends the objectives as JSON, together with the classes to which they refer. If the
 * plan has neither objectives nor priorities, appends nothing. */
void dj_plan_write_objectives(const struct dj_plan *plan, struct dj_text *json);

/* A list that a plan can contain. */
struct dj_plan_list {
    const char *what; /* Name of the listed elements for messages, for example "flows". */
    /* A hint with an example, for plans that have no list in this place. */
    const char *hint;
    size_t most;
};

/* Returns the length of a list with 1 to `most` items. For any other node, reports a
 * fault and returns 0. */
size_t dj_plan_check_list(const struct dj_tree_node *node,
                          const struct dj_plan_list *list, struct dj_plan_faults *faults);

/* Returns the number of devices of the plan that are this machine. */
size_t dj_plan_count_local(const struct dj_plan *plan);

/* Reports a fault if the priority is not "high", "normal" or "low". */
void dj_plan_check_priority(const struct dj_tree_node *map, const char *priority,
                            struct dj_plan_faults *faults);

/* Registers a memory block that is freed with the plan. Returns the block. */
void *dj_plan_own(struct dj_plan *plan, void *owned);
/* Resolves a path relative to the plan's folder. The result is freed with the plan.
 * Returns NULL if `path` is NULL. */
const char *dj_plan_resolve_path(struct dj_plan *plan, const char *path);

#endif
