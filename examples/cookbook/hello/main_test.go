package main

func Example() {
	main()
	// Output: total 6
}
