/* Short names of C++ functions: scopes and name, without parameters and without the
 * arguments of templates. */
#ifndef DEJANK_STACKS_NAMES_DEMANGLE_H
#define DEJANK_STACKS_NAMES_DEMANGLE_H

/* Returns the name of a symbol that is mangled as in the Itanium C++ ABI, such as
 * "Scene::draw" or "std::vector<…>::push_back". Returns NULL for other symbols, and for
 * parts of the ABI that names of functions rarely need. The name is at most a few times
 * as long as the symbol, because nothing is repeated. The caller frees it. */
char *dj_names_demangle(const char *symbol);

#endif
