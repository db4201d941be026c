package main

func Example() {
	main()
	// Output:
	// add 41
	// ten milliseconds later 42
}
