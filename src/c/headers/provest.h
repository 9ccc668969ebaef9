/*
 * Contracts that provest checks and relies on. Compilers take them for nothing: add the folder of this file to their
 * include path.
 *
 *   int push(struct stack *s, int value) {
 *     PROVEST_REQUIRES(s != NULL && s->size < s->capacity);   callers keep to it; clients of the module are assumed to
 *     PROVEST_OLD(int, size, s->size);                        a value at the beginning, for the postcondition
 *     PROVEST_ENSURES(PROVEST_RESULT == 1 && s->size == size + 1);
 *     ...
 *     for (int i = 0; i < n; i++) { PROVEST_INVARIANT(sum <= 10 * i); ... }
 *
 * PROVEST_LENGTH(p) is how many elements there are from p on to the end of its object, none for a null pointer:
 * PROVEST_REQUIRES(PROVEST_LENGTH(data) >= n).
 *
 * PROVEST_TERMINATED(s) says that the last element of that object is 0: a loop from s to the first 0 stays within it.
 *
 * PROVEST_ACYCLIC(l) says that l is null or leads from node to node to null, and that every node lives;
 * PROVEST_REACH(l, p) that p is a node of the list l; PROVEST_EVERY(l, n, n->value > 0) that the condition holds of each
 * of its nodes n. PROVEST_LIST_LENGTH(l) is the number of nodes, -1 of what is no such
 * list. They go along the member that leads to the node's own type; name it as the last argument if there are several.
 *
 * Preconditions and postconditions stand at the beginning of the function, before anything changes.
 *
 * PROVEST_ENSURES_OF(uart_read, result <= size); outside functions, behind the declaration: what every call of a
 * function without a body guarantees when it returns. `result` is its result. With 0 it never returns.
 */
#ifndef PROVEST_H
#define PROVEST_H
#ifdef __PROVEST__
void __provest_requires(int condition, const char *text);
void __provest_ensures(int condition, const char *text);
void __provest_claim(int condition, const char *text);
unsigned long __provest_bytes_from(const volatile void *p);
int __provest_list_ends(const volatile void *list, unsigned long link, unsigned long bytes);
int __provest_list_has(const volatile void *list, const volatile void *node, unsigned long link, unsigned long bytes);
int __provest_list_all(const volatile void *list, unsigned long link, unsigned long bytes, const volatile void *node,
                       int condition);
long __provest_list_nodes(const volatile void *list, unsigned long link, unsigned long bytes);
#define PROVEST_REQUIRES(...) __provest_requires(!!(__VA_ARGS__), #__VA_ARGS__)
#define PROVEST_ENSURES(...) __provest_ensures(!!(__VA_ARGS__), #__VA_ARGS__)
#define PROVEST_INVARIANT(...) __provest_claim(!!(__VA_ARGS__), #__VA_ARGS__)
#define PROVEST_LENGTH(p) (__provest_bytes_from(p) / sizeof *(p))
#define PROVEST_TERMINATED(s) (PROVEST_LENGTH(s) > 0 && (s)[PROVEST_LENGTH(s) - 1] == 0)
#define PROVEST_ACYCLIC(...) __provest_acyclic(__VA_ARGS__)
#define PROVEST_REACH(...) __provest_reach(__VA_ARGS__)
#define PROVEST_EVERY(...) __provest_every(__VA_ARGS__)
#define PROVEST_LIST_LENGTH(...) __provest_list_length(__VA_ARGS__)
#define PROVEST_RESULT __provest_result
#define PROVEST_OLD(type, name, value) type name = __provest_old(value)
#define PROVEST_ENSURES_OF(function, ...) __provest_ensures_of(function, __VA_ARGS__)
#else
#define PROVEST_REQUIRES(...) ((void)0)
#define PROVEST_ENSURES(...) ((void)0)
#define PROVEST_INVARIANT(...) ((void)0)
#define PROVEST_OLD(type, name, value) struct provest_nothing
#define PROVEST_ENSURES_OF(function, ...) struct provest_nothing
#endif
#endif
