/* Prints the list of jank rules, for --jank-rule list. */
#ifndef DEJANK_CLI_VERBS_LIST_JANK_RULES_H
#define DEJANK_CLI_VERBS_LIST_JANK_RULES_H

/* Prints the list of jank rules. Returns an exit code. */
int dj_cli_list_jank_rules(void);

#endif
