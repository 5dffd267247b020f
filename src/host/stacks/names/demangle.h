/* Shortens names of C++ functions to scopes and name, without parameters and template
 * arguments. */
#ifndef DEJANK_STACKS_NAMES_DEMANGLE_H
#define DEJANK_STACKS_NAMES_DEMANGLE_H

/* Returns the short name of a symbol that is mangled as in the Itanium C++ ABI, such as
 * "Scene::draw" or "std::vector<…>::push_back". Returns NULL for other symbols, and for
 * rare forms of the ABI that dejank does not parse. The name is at most a few times as
 * long as the symbol. The caller frees it. */
char *dj_names_demangle(const char *symbol);

#endif
