/* Functions that the files of the plan reader share. */
#ifndef DEJANK_PLAN_PLAN_PRIVATE_H
#define DEJANK_PLAN_PLAN_PRIVATE_H

#include "plan/fields.h"
#include "plan/plan.h"

/* Reads the keys of a class from a device's map. `map` may consist of "class: NAME"
 * alone, which selects a predefined class. Ignores other keys. */
void dj_plan_read_class(const struct dj_tree_node *map, const struct dj_tree_node *name,
                        struct dj_device_class *class, struct dj_plan_faults *faults);

/* Each of these reads one part of the plan's map. */
void dj_plan_read_devices(const struct dj_tree_node *list, struct dj_plan *plan);
void dj_plan_read_flows(const struct dj_tree_node *list, struct dj_plan *plan);
void dj_plan_read_builds(const struct dj_tree_node *list, struct dj_plan *plan);
/* Call this after the devices are read, because it depends on them. */
void dj_plan_read_trace(const struct dj_tree_node *node, struct dj_plan *plan);
void dj_plan_read_gate(const struct dj_tree_node *map, struct dj_plan_gate *gate,
                       struct dj_plan_faults *faults);
void dj_plan_read_objectives(const struct dj_tree_node *list, struct dj_plan *plan);

/* Appends the objectives as JSON, with the classes that they refer to. Appends nothing
 * if the plan has neither objectives nor priorities. */
void dj_plan_write_objectives(const struct dj_plan *plan, struct dj_text *json);

/* Returns the length of a list of 1 to `most` items. For anything else it reports a
 * fault and returns 0. */
size_t dj_plan_check_list(const struct dj_tree_node *node, const char *what, size_t most,
                          struct dj_plan_faults *faults);

/* Returns how many of the devices are this machine. */
size_t dj_plan_count_local(const struct dj_plan *plan);

/* Reports a fault if the priority is not "high", "normal" or "low". */
void dj_plan_check_priority(const struct dj_tree_node *map, const char *priority,
                            struct dj_plan_faults *faults);

/* Gives a memory block to the plan, which frees it at the end. Returns the block. */
void *dj_plan_own(struct dj_plan *plan, void *owned);
/* Resolves a path relative to the plan's folder. The result lives as long as the plan.
 * NULL gives NULL. */
const char *dj_plan_resolve_path(struct dj_plan *plan, const char *path);

#endif
