/* What a user of umm_malloc writes: where the heap is, and that it is to be checked. */
#define UMM_MALLOC_CFG_HEAP_ADDR umm_heap_of_ours
#define UMM_MALLOC_CFG_HEAP_SIZE umm_size_of_ours
#define UMM_INTEGRITY_CHECK
#define UMM_POISON_CHECK
#define UMM_INFO
